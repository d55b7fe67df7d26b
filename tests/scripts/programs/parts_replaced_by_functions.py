# also: nnx, linen
"""Parts of models in whose places layers without parameters are put: dropout that is left out, a head that is taken off."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)
        self.drop1 = nn.Dropout(0.5)
        self.drop2 = nn.Dropout(0.5)
        self.fc = nn.Linear(3, 2)
        for number, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (number + 1))

    def forward(self, x):
        return self.fc(self.drop2(torch.relu(self.body(self.drop1(x)))))


class Wrapped(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.net(x) * self.scale


x = torch.linspace(-1, 2, 8).reshape(2, 4)
model = Net()
model.drop1, model.drop2 = nn.Identity(), nn.Identity()
model.fc = nn.Identity()
print(model(x).shape, sum(p.numel() for p in model.parameters()), list(model.state_dict()))
whole = Wrapped(model)
optimizer = torch.optim.Adam(whole.parameters(), lr=0.1, weight_decay=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = (whole(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item(), [round(p.sum().item(), 4) for p in whole.parameters()])
