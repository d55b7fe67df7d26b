# also: nnx, linen
"""Models and optimizers that are made inside of lists, dicts and comprehensions, and train by their places there."""

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


# each model has an optimizer of its own
nets = [make(4, 6, 3), make(4, 7, 3), make(4, 5, 3)]
opts = [optim.Adam(net.parameters(), lr=0.01 * (i + 1)) for i, net in enumerate(nets)]
for step in range(3):
    x, y = batch(step)
    for net, opt in zip(nets, opts):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        print(round(loss.item(), 5))
for net in nets:
    print(total(net))

# one loss for two optimizers
first, second = make(4, 6, 4), make(4, 5, 3)
both = [optim.SGD(first.parameters(), lr=0.1), optim.Adam(second.parameters(), lr=0.01)]
for step in range(3):
    x, y = batch(step)
    for item in both:
        item.zero_grad()
    loss = F.mse_loss(second(first(x)), y)
    loss.backward()
    for item in both:
        item.step()
    print(round(loss.item(), 5))
print(total(first), total(second))


# by their names, in a function
def train():
    parts = {"encoder": make(4, 6, 4), "decoder": make(4, 5, 3)}
    optimizers = {name: optim.Adam(part.parameters(), lr=0.01) for name, part in parts.items()}
    for step in range(3):
        x, y = batch(step)
        for optimizer in optimizers.values():
            optimizer.zero_grad()
        loss = F.mse_loss(parts["decoder"](parts["encoder"](x)), y)
        loss.backward()
        for name, optimizer in optimizers.items():
            optimizer.step()
        print(round(loss.item(), 5))
    print(total(parts["encoder"]), total(parts["decoder"]))


train()
