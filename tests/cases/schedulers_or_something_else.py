"""Schedulers that nothing tells from a text or a flag where they are stepped."""

import torch
import torch.nn as nn
from torch.optim import lr_scheduler


def get(optimizer, kind):
    if kind == "step":
        return lr_scheduler.StepLR(optimizer, 2, 0.5)  # T2J507
    return "constant"


def make(optimizer, kind):
    if kind == "step":
        scheduler = lr_scheduler.StepLR(optimizer, 2, 0.5)  # T2J507
    else:
        scheduler = False
    return scheduler


def train(net, optimizer, x):
    loss = (net(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


x = torch.arange(8.0).reshape(2, 4)
net, other = nn.Linear(4, 2), nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = get(optimizer, "step")
other_optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
other_scheduler = make(other_optimizer, "step")
for _ in range(3):
    train(net, optimizer, x)
    train(other, other_optimizer, x)
    if scheduler != "constant":
        scheduler.step()
    if other_scheduler:
        other_scheduler.step()
