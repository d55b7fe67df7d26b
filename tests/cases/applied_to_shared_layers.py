import torch
from torch import nn


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.25)


def made():
    first, last = nn.Linear(3, 3), nn.Linear(3, 2)
    net = nn.Sequential(first, last)
    net.apply(init)
    return net


m, m2 = nn.Linear(3, 3), nn.Linear(3, 2)
w = nn.Sequential(m, m2)  # T2J303
w.apply(init)
print(m(torch.ones(2, 3)).sum().item(), made()(torch.ones(2, 3)).sum().item())
