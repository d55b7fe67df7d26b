"""What a function changes in place is what its caller, or the module, has under another name."""

import torch

table = torch.ones(3)


def picked(t):
    return t


def added(a, b):
    b += 1
    return (a * b).sum()


def given_twice(x: torch.Tensor):
    y = x + 0
    return added(y, y)  # T2J303


def a_variable_of_the_module(a: torch.Tensor):
    b = table
    b += 2  # T2J303
    return (a * b).sum()


def perhaps_one(a: torch.Tensor, b: torch.Tensor | None = None):
    if b is None:
        b = table
    b += 2  # T2J303
    return (a * b).sum()


def by_a_function(a: torch.Tensor, k: float):
    b = picked(table)
    b += k  # T2J303
    return (a * b).sum()


def copies(i: int):
    a = table.clone()
    a += i
    b = table * 2
    b[0] = i
    return (a + b).sum()


class Losses(torch.nn.Module):
    def losses(self, x: torch.Tensor, noise: torch.Tensor | None = None):
        noise = torch.ones_like(x) if noise is None else noise
        noise += 1
        return (x - noise).sum()

    def forward(self, x, *args, **kwargs):
        return self.losses(x, *args, **kwargs)  # T2J300


noise = torch.ones(3)
print(Losses()(table, noise=noise), noise.sum())
