# also: nnx, linen
"""Properties that give a part of their module, by which it is filled, trained and frozen."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2))
        nn.init.eye_(self.first.weight)
        nn.init.zeros_(self.first.bias)
        nn.init.constant_(self.head.weight, 0.3)
        nn.init.zeros_(self.head.bias)

    @property
    def first(self):
        return self.body[0]

    @property
    def head(self):
        """The last layer."""
        return self.body[-1]

    @property
    def width(self):
        return self.head.out_features

    def forward(self, x):
        return self.body(x)


class Wide(Net):
    def forward(self, x):
        return self.head(self.first(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    @property
    def encoder(self):
        return self.net.body

    def forward(self, x):
        return self.encoder(x).tanh()


x = torch.arange(12.0).reshape(4, 3) / 7
net = Net()
print(net(x).sum().item(), net.width)
nn.init.constant_(net.head.weight, 0.5)
print(net(x).sum().item())
optimizer = torch.optim.SGD(net.head.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = (net(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(net.first.weight.sum().item(), net.head.weight.sum().item())
for p in net.first.parameters():
    p.requires_grad = False
print([p.requires_grad for p in net.parameters()])
print(net.first.weight.sum().item(), net.body[2].weight.sum().item())
wide = Wide()
with torch.no_grad():
    wide.head.bias.add_(1.0)
print(wide(x).sum().item(), wide.width)
model = Model()
model.encoder[0].weight.data.fill_(0.1)
print(model(x).sum().item(), len(list(model.encoder.parameters())))
