"""Writes that somebody else may see are refused; writes to fresh tensors are rebindings."""

import torch


def scale_(grads, c):
    for g in grads:
        g.mul_(c)  # T2J303


def first_row(x: torch.Tensor):
    y = x[0]
    y += 1  # T2J300
    return x


def through_a_view(x: torch.Tensor):
    y = x.clone()
    z = y.view(-1)
    z[0] = 3
    return y


def fresh(x: torch.Tensor):
    y = x.clone()
    y[0] = 3
    y += 1
    return y


def from_a_dict(d: dict):
    t = d["a"]
    t.add_(1)  # T2J303
    return d


def mixed_index(x: torch.Tensor, rows: list[int]):
    i = torch.tensor(rows)
    return x[0, :, i]
