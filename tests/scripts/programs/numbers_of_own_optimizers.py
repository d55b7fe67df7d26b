# also: nnx, linen
"""Optimizers of a program whose steps change numbers that have two names, read what a chain of calls changes, and divide by
options that are zero where it does not matter."""

import math

import torch
import torch.nn as nn
from torch.optim import Optimizer

x = torch.cos(torch.arange(40.0)).view(10, 4)
y = torch.sin(torch.arange(20.0)).view(10, 2)


class Counting(Optimizer):
    """A number that a variable stands for is changed, and the entry keeps its own; a tensor is changed with it."""

    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state.setdefault("calls", 0)
                if len(state) == 1:
                    state["step"] = 1
                    state["sum"] = torch.zeros(1)
                before = state["calls"]
                state["calls"] += 1
                t = state["step"]
                t += 2
                total = state["sum"]
                total += 0.5
                lr = group["lr"]
                lr *= 0.5
                p.sub_(p.grad * lr * (before + 1) / (t * state["sum"]))
                p.mul_(1 - 0.1 * group["lr"])


class Chained(Optimizer):
    """`m` is read when half of it is gone; a chain may give a variable what it stands for."""

    def __init__(self, params, lr=0.1, warmup=0):
        super().__init__(params, dict(lr=lr, warmup=warmup))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                m = state.setdefault("m", torch.zeros_like(p))
                state["step"] += 1
                m.mul_(0.5).add_(m).add_(p.grad)
                if state["step"] < group["warmup"]:
                    rate = group["lr"] * state["step"] / group["warmup"]
                else:
                    rate = group["lr"] / math.sqrt(state["step"])
                d = p.grad.data
                d = d.mul_(0.5).add_(m, alpha=0.2)
                p.sub_(d, alpha=rate)


def train(name, make):
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) + number).view(p.shape) * 0.5)
    optimizer = make(model.parameters(), lr=0.1)
    for _ in range(6):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(name, loss.item())


train("counting", Counting)
train("chained", Chained)
