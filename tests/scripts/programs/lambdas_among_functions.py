# also: nnx
"""One of several functions, of which one is a lambda, is called with a module that counts."""

import torch
import torch.nn as nn


class Count(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        self.seen += 1
        return torch.tanh(self.lin(x))


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return m


def heun(f, x, h):
    k = f(x)
    return x + h * (k + f(x + h * k)) / 2


def solve(f, x, method="heun", n=3):
    step = {"heun": heun, "euler": lambda f, x, h: x + h * f(x)}[method]
    last = heun if n == 3 else (lambda f, x, h: f(x) * h)
    for _ in range(n):
        x = step(f, x, 0.1)
    return last(f, x, 0.2)


x = torch.cos(torch.arange(6.0)).view(3, 2)
net = fill(Count())
print(solve(net, x).sum().item(), solve(net, x, "euler").sum().item(), solve(net, x, n=2).sum().item(), net.seen.item())
