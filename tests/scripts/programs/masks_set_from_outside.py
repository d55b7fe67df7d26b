# flagged: T2J601, also: nnx
"""A field that is None at first, or an argument, is given a tensor from outside of the class."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, mask=None):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.mask = mask
        with torch.no_grad():
            for p in self.parameters():
                p.fill_(0.3)

    def forward(self, x):
        x = self.fc(x)
        if self.mask is not None:
            x = x * self.mask
        return x


net = Net()
x = torch.ones(3, 2)
print(net(x).sum().item())
net.mask = torch.tensor([1.0, 0.0])
print(net(x).sum().item())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
    net.mask = net.mask + 1
