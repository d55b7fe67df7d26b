# flagged: T2J609
"""Functions in a table, of which one trains."""

import torch
import torch.nn as nn
import torch.nn.functional as F

NOISE = {}
STEPS = {}


def noise(fn):
    NOISE[fn.__name__] = fn
    return fn


def step(fn):
    STEPS[fn.__name__] = fn
    return fn


@noise
def none(x):
    return x


@noise
def zero(x):
    return x + 0 * torch.randn_like(x)


@step
def train(model, optimizer, x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


@step
def evaluate(model, optimizer, x):
    with torch.no_grad():
        return model(x).pow(2).mean().item()


net = nn.Linear(3, 2)
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 2, 12).reshape(4, 3)
for name in ("none", "zero"):
    print(name, NOISE[name](x).sum().item())
for name in ("train", "evaluate", "train"):
    print(name, STEPS[name](net, optimizer, x))
print(net.weight.sum().item())
