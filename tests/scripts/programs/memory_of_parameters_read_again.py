# flagged: T2J303
"""Tensors whose memory a parameter has got change with it, by any of its names, and are read."""

import torch
import torch.nn as nn


def changed():
    net = nn.Linear(3, 2)
    w = torch.full((2, 3), 0.5)
    net.weight.data = w
    with torch.no_grad():
        net.weight.mul_(2)
    print(w.sum().item())


def of_new_parameter():
    net = nn.Linear(3, 2)
    w = torch.full((2, 3), 0.5)
    net.weight = nn.Parameter(w)
    for p in net.parameters():
        p.data.zero_()
    print(w.sum().item())


def of_parts():
    net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2))
    for part in net:
        if isinstance(part, nn.Linear):
            new = torch.ones_like(part.weight)
            part.weight.data = new
            part.weight.data.add_(1)
            print(new.sum().item())


def trained():
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    w = torch.full((2, 3), 0.5)
    net[0].weight.data = w
    loss = net(torch.ones(1, 3)).sum()
    loss.backward()
    opt.step()
    print(w.sum().item())


changed()
of_new_parameter()
of_parts()
trained()
