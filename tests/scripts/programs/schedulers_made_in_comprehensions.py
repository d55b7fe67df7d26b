# also: nnx
"""Schedulers that a comprehension over a list of optimizers makes."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim


class Net(nn.Module):
    def __init__(self, n, h, out):
        super().__init__()
        self.first = nn.Linear(n, h)
        self.head = nn.Linear(h, out)

    def forward(self, x):
        return self.head(torch.tanh(self.first(x)))


def make(n, h, out):
    model = Net(n, h, out)
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.3)
    return model


def batch(step):
    x = torch.sin(torch.arange(20.0) * 0.37 + step).reshape(5, 4)
    return x, torch.cos(torch.arange(15.0) * 0.21 + step).reshape(5, 3)


def total(model):
    return round(sum(p.abs().sum().item() for p in model.parameters()), 4)


first, second = make(4, 6, 4), make(4, 5, 3)
one = optim.Adam(first.parameters(), lr=0.02)
both = [one, optim.SGD(second.parameters(), lr=0.1)]
schedulers = [optim.lr_scheduler.LambdaLR(item, lr_lambda=lambda e: 1.0 - e / 20.0) for item in both]
for step in range(4):
    x, y = batch(step)
    for item in both:
        item.zero_grad()
    loss = F.mse_loss(second(first(x)), y)
    loss.backward()
    for item in both:
        item.step()
    for scheduler in schedulers:
        scheduler.step()
    print(round(loss.item(), 5), round(both[0].param_groups[0]["lr"], 5), round(one.param_groups[0]["lr"], 5))
print(total(first), total(second))
