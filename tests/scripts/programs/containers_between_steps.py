"""Lists and deques that change in training steps, in compiled functions, and between them."""

from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

order = [1.0, 10.0]
recent = deque(maxlen=2)
calls = deque()
x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[1.0], [2.0]])


def linear():
    layer = nn.Linear(2, 1, bias=False)
    nn.init.ones_(layer.weight)
    return layer


def remember(h):
    recent.appendleft(h.mean().detach())
    return h * 2


@torch.compile
def count(h: torch.Tensor):
    calls.appendleft(1)
    return h * len(calls)


def alternate(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        order.reverse()
        loss = F.mse_loss(model(x) * order[0], y)
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 3))


def train(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(remember(model(x)), y)
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 3), len(recent), round(recent[0].item(), 4))


alternate(linear(), 4)
train(linear(), 4)
print([count(x).sum().item() for _ in range(3)])
