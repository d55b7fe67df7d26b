"""Tensors that change in the middle of expressions: in arguments, displays, operands and tests, in Python's order."""

import torch
from torch import nn


def two(a, b):
    return a * 2 + b


def noisy(t):
    print("called", t.sum().item())
    return t.sum()


class Counter:
    def __init__(self):
        self.count = 0

    @property
    def next(self):
        self.count += 1
        return self.count


class Scale(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((4,), 0.5))
        self.inplace = inplace

    def forward(self, x):
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class Block(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        nn.init.constant_(self.fc.weight, 0.25)
        nn.init.constant_(self.fc.bias, 0.5)
        self.scale = Scale(inplace)

    def forward(self, x):
        return x + self.scale(self.fc(x))


def cells(anchors):
    """Rows of one tensor are limited where they are collected, and the tensor is read later."""
    grid = (anchors * 3 - 0.5).long()
    i, j = grid.T[:2]
    found = []
    found.append((anchors[0], j.clamp_(0, 1), i.clamp_(0, 2)))
    box = torch.cat((anchors[:, :2] - grid[:, :2], anchors[:, 2:]), 1)
    return box, found[0][1], found[0][2]


def argument(x):
    y = x.clone()
    return two(y.mean(), y.add_(1)), y


def displays(x):
    y = x.clone()
    found = (y, y.sum(), y.mul_(2), y.sum())
    named = {"a": y.sum(), "b": y.mul_(2), "c": y.sum()}
    return found[1], found[2], found[3], named["a"], named["b"], named["c"]


def operands(x):
    y, w = x.clone(), x.clone()
    total = x.sum() + y.add_(1).sum() * y.mul_(2).mean()
    return total, (y * 1) * y.add_(1), w.add_(y.mul_(2).sum()) + w.mul_(y.add_(1))


def seen_by_others(x):
    y = x.clone()
    same, row = y, y[0]
    value = two(row.sum(), y.add_(1)) + same
    part = two(y.sum(), y[0].add_(1)) + row
    return value, part, row, same


def tests(x):
    y = x.clone()
    if y.add_(1).sum() > 0:
        y = y * 2
    assert y.add_(1).sum() > -100, "small"
    return two(noisy(y), y.add_(1)) + noisy(y)


def in_order(x):
    y, counter = x.clone(), Counter()
    first, _, second = (counter.next, y.add_(1), counter.next)
    print(f"{y.sum().item():.2f} {y.add_(1).sum().item():.2f} {y.add_(2).sum().item():.2f}", first, second)
    collected = []
    collected += [y.sum(), y.add_(1).mean()]
    for k in range(3):
        collected += [y.add_(k).sum() + y.sum(), y.sum()]
    return collected


x = torch.linspace(-2, 2.5, 12).view(3, 4)
for function in (cells, argument, displays, operands, seen_by_others, in_order):
    print(function.__name__, [round(value.float().sum().item(), 2) for value in function(x)])
print(round(tests(x).sum().item(), 2), round(x.sum().item(), 2))
print(Block(True)(x).sum().item(), Block(False)(x).sum().item())
