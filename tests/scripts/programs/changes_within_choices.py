# also: nnx
"""Choices in the middle of a line of which a branch changes a module or a tensor, and changes of what functions give."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, c, d):
        super().__init__()
        self.same = c == d
        self.bn = nn.BatchNorm1d(c)
        self.fc = nn.Linear(c, d)
        self.short = nn.Sequential(nn.Linear(c, d), nn.BatchNorm1d(d))
        self.inplace = True
        self.calls = 1.0

    def forward(self, x):
        out = torch.relu(self.bn(x))
        out = self.fc(out)
        return torch.add(x if self.same else self.short(x), out)


class Other(Block):
    def forward(self, x):
        out = self.fc(x)
        out = out + (x if self.same else self.short(x))
        total = 2 * (out.mul_(2) if self.inplace else out + 1)
        return total + out


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Block(3, 3)
        self.b = Block(3, 4)
        self.c = Other(4, 4)
        self.d = Other(4, 2)

    def forward(self, x):
        return self.d(self.c(self.b(self.a(x))))


class Log:
    def __init__(self):
        self.count = 1.0
        self.last = torch.zeros(2)

    def push(self, x):
        self.count += 1
        return self.last.add_(x)

    def both(self, x, is_first):
        return (self.push(x) if is_first else x).sum() + self.count


def off_diagonal(x):
    n, _ = x.shape
    return x.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()


def covariance(x, y):
    one = (x.T @ x) / 3
    other = (y.T @ y) / 3
    return off_diagonal(one).pow_(2).sum().div(3) + off_diagonal(other).pow_(2).sum().div(3)


model = Net()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.7 + i))
x = torch.arange(12.0).reshape(4, 3) / 12
print(model(x).sum().item(), model(x).sum().item())
print(model.b.short[1].running_mean.sum().item(), model.d.short[1].running_var.sum().item())
model.eval()
print(model(x).sum().item())
log = Log()
print(log.both(torch.ones(2), True).item(), log.both(torch.ones(2), False).item(), log.count, log.last.sum().item())
print(covariance(x, x * 2 - 1).item())
