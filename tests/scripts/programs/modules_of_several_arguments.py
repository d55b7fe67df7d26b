"""Functions are given modules that count their calls, some that keep nothing, and functions; all take several arguments."""

import torch
from torch import nn


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 2)
        self.calls = 0
        for p in self.parameters():
            nn.init.constant_(p, 0.3)

    def forward(self, t, y, scale=1.0):
        self.calls += 1
        return self.net(y) * t * scale


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def forward(self, t, y, scale=1.0):
        return self.norm(y) * t * scale


class Remembering(nn.Module):
    """`state` is an argument of its own."""

    def forward(self, t, state, scale=1.0):
        return torch.tanh(state) * t * scale


def plain(t, state, scale=1.0):
    return state * t - scale


def step(func, t, dt, y):
    first = func(t, y)
    return y + dt * first + dt * func(t + dt, y, scale=0.5) + dt * func(t, y, 0.25)


def solve(func, y, ts):
    found = [y]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        found.append(step(func, t0, t1 - t0, found[-1]))
    return torch.stack(found)


start = torch.tensor([[1.0, -0.5], [0.2, 0.4]])
ts = torch.linspace(0.0, 1.0, 4)
with torch.no_grad():
    wanted = solve(Remembering(), start, ts)
print(wanted.sum().item())
print(solve(plain, start, ts).sum().item())
normed = Normed()
print(solve(normed, start, ts).sum().item(), normed.norm.running_mean.sum().item())

func = Counted()
opt = torch.optim.RMSprop(func.parameters(), lr=1e-2)
for epoch in range(3):
    loss = (solve(func, start, ts) - wanted).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), func.calls)
print(solve(Counted(), start, ts)[-1].sum().item())
