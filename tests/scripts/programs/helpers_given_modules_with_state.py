"""Helpers are given modules with state in training steps, one, two at once and by turns, beside other modules with state."""

import torch
from torch import nn


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.norm = nn.BatchNorm1d(2)
        nn.init.eye_(self.a.weight)
        nn.init.zeros_(self.a.bias)

    def forward(self, y):
        return self.norm(self.a(y))


def solve(func, y):
    return func(y) + 1


def both(f, g, y):
    return f(y) + g(y) * 0.5


start = torch.tensor([[1.0, -0.5], [0.2, 0.4]])


class Trainer:
    def __init__(self, model, other):
        self.model = model
        self.other = other
        self.opt = torch.optim.SGD(list(model.parameters()) + list(other.parameters()), lr=1e-2)

    def fit(self):
        for epoch in range(3):
            loss = both(self.model, self.other, start).pow(2).sum() + solve(self.model, start).sum()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            print(loss.item())


t = Trainer(Normed(), Normed())
t.fit()
print(t.model.norm.running_mean.sum().item(), t.other.norm.running_mean.sum().item())
a, b = Normed(), Normed()
opt = torch.optim.SGD([{"params": a.parameters()}, {"params": b.parameters()}], lr=1e-2)
for epoch in range(3):
    opt.zero_grad()
    loss = both(a, b, start).pow(2).sum() + both(b, a, start).sum()
    loss.backward()
    opt.step()
    print(loss.item())
print(a.norm.running_mean.sum().item(), b.norm.running_mean.sum().item())
