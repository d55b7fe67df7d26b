"""States of optimizers hold the moments themselves: where steps go on, torch changes them there, and where others take them."""

import copy

import torch
from torch import nn

first, second = nn.Linear(2, 2), nn.Linear(2, 2)
one = torch.optim.Adam(first.parameters(), lr=0.1)
two = torch.optim.Adam(second.parameters(), lr=0.1)


def step(net, optimizer):
    optimizer.zero_grad()
    net(torch.ones(1, 2)).sum().backward()
    optimizer.step()


start = one.state_dict()
step(first, one)
one.load_state_dict(start)
step(first, one)
saved = one.state_dict()  # T2J303
copied = copy.deepcopy(one.state_dict())
step(first, one)
one.load_state_dict(saved)
one.load_state_dict(copied)
two.load_state_dict(one.state_dict())  # T2J303
for _ in range(2):
    step(first, one)
    step(second, two)


def keep_best(net, losses):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    best = {}
    for loss in losses:
        step(net, optimizer)
        if loss < 1:
            best = {"optimizer": optimizer.state_dict()}  # T2J303
    optimizer.load_state_dict(best["optimizer"])


def no_moments(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    step(net, optimizer)
    saved = optimizer.state_dict()
    step(net, optimizer)
    optimizer.load_state_dict(saved)


def hand_over(net):
    old = torch.optim.Adam(net.parameters(), lr=0.1)
    step(net, old)
    new = torch.optim.Adam(net.parameters(), lr=0.01)
    new.load_state_dict(old.state_dict())
    for _ in range(2):
        step(net, new)
        torch.save({"optimizer": new.state_dict()}, "last.pt")
