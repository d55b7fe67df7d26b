# also: nnx, linen
"""Decorators that evaluate the module of a method and go back to the mode before."""

import torch
import torch.nn as nn
from functools import wraps


def eval_decorator(fn):
    @wraps(fn)
    def inner(self, *args, **kwargs):
        was_training = self.training
        self.eval()
        out = fn(self, *args, **kwargs)
        self.train(was_training)
        return out

    return inner


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - 3) * 0.05 + 0.01 * i)


x = torch.arange(8.0).reshape(2, 4) / 8


class G(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.0)

    def forward(self, x):
        if self.training:
            x = x * 2
        return self.drop(self.fc(x))

    @eval_decorator
    def generate(self, x, n=1):
        for _ in range(n):
            x = self(x)
        return x


g = G()
fill(g)
opt = torch.optim.SGD(g.parameters(), lr=0.1)
for i in range(3):
    loss = g(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), g.generate(x, n=2).sum().item())
g.eval()
print(g.generate(x).sum().item(), g(x).sum().item(), g.training)


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.bn(self.fc(x))

    @torch.no_grad()
    @eval_decorator
    def generate(self, x):
        return self(x)


class Flat(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x)

    @eval_decorator
    def generate(self, x):
        return self(x)


normed = Normed()
fill(normed)
print(normed(x).sum().item())
print(normed.generate(x).sum().item(), normed.training)
print(normed(x).sum().item(), normed.bn.running_mean.sum().item())
flat = Flat()
fill(flat)
print(flat.generate(x).sum().item())
