# also: nnx
"""Modules that give themselves to functions which fill them, while they are made and later."""

import torch
import torch.nn as nn


def fill_module(m, v):
    for p in m.parameters():
        p.data.fill_(v)


def init_all(net):
    for m in net.modules():
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.3)


def counted(net, v):
    nn.init.constant_(net.out.bias, v)
    return len(list(net.parameters()))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 2)
        fill_module(self, 0.1)
        init_all(self)
        self.last = nn.Linear(2, 2)
        self.number = counted(self, 0.7)
        self.reset_last()

    def reset_last(self):
        nn.init.constant_(self.last.weight, 0.2)
        nn.init.constant_(self.last.bias, 0.2)

    def forward(self, x):
        return self.last(self.out(x))


class Early(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 2)
        self.reset()

    def reset(self):
        fill_module(self, 0.1)
        init_all(self)

    def forward(self, x):
        return self.out(x)


class Later(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 2)
        fill_module(self, 0.2)

    def reset(self, v):
        fill_module(self, v)

    def forward(self, x):
        return self.out(x)


net = Net()
print(net(torch.ones(2, 3)).sum().item(), net.number)
early = Early()
print(early(torch.ones(2, 3)).sum().item())
fill_module(early, 0.9)
print(early(torch.ones(2, 3)).sum().item())
print(early(torch.ones(2, 3)).sum().item())
later = Later()
print(later(torch.ones(2, 3)).sum().item())
later.reset(0.4)
print(later(torch.ones(2, 3)).sum().item())
