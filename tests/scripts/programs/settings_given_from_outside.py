# also: nnx
"""Settings that modules are given from outside, of which nothing says what they are, also while they become parts."""

import argparse

import torch
from torch import nn


class Att(nn.Module):
    def __init__(self, d, window=None):
        super().__init__()
        self.q = nn.Linear(d, d)
        self.window = window
        self.temperature = 1.0
        self.register_buffer("cache", None, persistent=False)

    def forward(self, x, use_cache=False):
        y = self.q(x) / self.temperature
        if use_cache:
            self.cache = y if self.cache is None else self.cache + y
            y = self.cache
        if self.window is not None:
            y = y[:, : min(y.size(1), self.window)]
        return y


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        blocks = []
        for i in range(cfg["n"]):
            att = Att(4, cfg["window"])
            att.window = cfg["window"] if i % 2 else None
            blocks.append(att)
        self.blocks = nn.ModuleList(blocks)
        self.n_task = 4
        self.rate = 0.01

    def forward(self, x, use_cache=False):
        for b in self.blocks:
            x = b(x, use_cache=use_cache)
            x = torch.nn.functional.pad(x, (0, 4 - x.size(1)))
        return x * self.rate * self.n_task


parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default=0.5)
parser.add_argument("--tasks", default=3)
args = parser.parse_args([])
net = Net({"n": 2, "window": 2})
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
x = torch.linspace(-1, 1, 8).view(2, 4)
print(net(x).sum().item())
net.rate = args.rate
net.n_task = args.tasks
net.blocks[0].temperature = args.rate
print(net(x).sum().item())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(net.rate, net.n_task)


class Late(nn.Module):
    def __init__(self, windows):
        super().__init__()
        self.first = Att(4, 2)
        other = Att(4)
        other.window = windows.get("other")
        self.other = other

    def forward(self, x):
        return self.first(x).sum() + self.other(x).sum()


for windows in ({}, {"other": 3}):
    late = Late(windows)
    with torch.no_grad():
        for p in late.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
    print(late(x).item())
    late.other.window = vars(args).get("tasks")
    print(late(x).item(), [name for name, _ in late.named_parameters()], sorted(late.state_dict()))
