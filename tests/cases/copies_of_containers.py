"""Containers of tensors that a loop or a comprehension makes: their copies, and what was taken out of them, hold the same tensors."""

import torch
from torch import Tensor, nn


class Term(nn.Module):
    def __init__(self, name: str, scale: float):
        super().__init__()
        self.name = name
        self.scale = scale

    def forward(self, x):
        return (x * self.scale).sum(0)


def copied(x: Tensor):
    d = {k: x * k for k in (1, 2, 3)}
    again = dict(d)
    for value in d.values():
        value *= 2  # T2J301
    return d[1], again[1]


def values(x: Tensor, n: int):
    d = {k: x * k for k in (1, 2, 3)}
    found = list(d.values())
    d[n] *= 3  # T2J301
    return d[2], found[1]


def cut(x: Tensor):
    d = [x * k for k in (1, 2, 3)]
    e = d[1:]
    d[1] += 1  # T2J301
    return d[1], e[0]


def listed(x: Tensor):
    d = [x * k for k in (1, 2, 3)]
    e = list(d)
    for value in d:
        value += 1  # T2J301
    return d[1], e[1]


def twice_in_it(x: Tensor):
    d = [x * k for k in (1, 2, 3)]
    d[1] = d[0]
    for j in range(3):
        d[j] *= 2  # T2J301
    return d


def taken_out(x: Tensor, terms: list):
    losses = {}
    kept = []
    for part in (Term("a", 1.0), Term("b", 2.0), Term("a", 3.0)):
        if part.name not in losses:
            losses[part.name] = part(x)
            kept.append(losses[part.name])
        else:
            losses[part.name] += part(x)  # T2J301
    return losses, kept


def named_before(x: Tensor):
    losses = {}
    first = None
    for part in (Term("a", 1.0), Term("b", 2.0), Term("a", 3.0)):
        if part.name not in losses:
            made = part(x)
            losses[part.name] = made
            if first is None:
                first = made
        else:
            losses[part.name] += part(x)  # T2J301
    return losses, first


def nobody_else(x: Tensor, n: int):
    d = {k: x * k for k in (1, 2, 3)}
    d[n] *= 3
    for k in d:
        d[k] *= 3
    for k in d.keys():
        d[k] += 1
    return d
