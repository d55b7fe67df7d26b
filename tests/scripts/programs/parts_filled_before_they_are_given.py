# also: nnx, linen
"""Modules that functions fill before they become parts of others."""

import copy

import torch
import torch.nn as nn


def fill(model, s=0.7):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * s + i).view(p.shape) * 0.3)
    return model


def small(width=3):
    return nn.Sequential(nn.Linear(3, width), nn.ReLU())


class Head(nn.Module):
    def __init__(self, net, width=3):
        super().__init__()
        self.net = net
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(self.net(x))


class Pair(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.online = net
        self.target = copy.deepcopy(net)

    def forward(self, x):
        return ((self.online(x) - self.target(x * 0.9)) ** 2).mean()


x = torch.arange(12.0).reshape(4, 3) / 7
net = Head(fill(small(), 0.3))
with torch.no_grad():
    for p in net.out.parameters():
        p.fill_(0.2)
print(net(x).sum().item())
both = nn.Sequential(fill(nn.Linear(3, 3)), nn.Tanh(), fill(Head(fill(small(4)), 4), 0.2))
print(both(x).sum().item(), len(both.state_dict()))
opt = torch.optim.SGD(both.parameters(), lr=0.1)
for _ in range(2):
    loss = (both(x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(fill(Head(small()))(x).sum().item())
pair = Pair(fill(small()))
print(pair(x).item(), len(list(pair.parameters())))
