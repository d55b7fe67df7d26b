# flagged: T2J502
"""A parameter of a model that is frozen before the constructor puts the part with it into a field."""

import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.last = nn.Linear(4, 4)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.05 * (i + 1))

    def forward(self, x):
        return self.last(self.first(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        base = Base()
        base.first.weight.requires_grad = False
        self.body = nn.Sequential(base.first, nn.ReLU())
        self.head = nn.Linear(4, 2)
        nn.init.constant_(self.head.weight, 0.3)
        nn.init.constant_(self.head.bias, 0.1)

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.arange(12.0).reshape(4, 3) / 10
for _ in range(2):
    optimizer.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    optimizer.step()
print(net.body[0].weight.sum().item())
