"""What a function of the program gives is changed in place: nobody sees it, or somebody still holds the tensor."""

import torch

TABLE = torch.ones(3, 3)
KEPT = []


def off_diagonal(x: torch.Tensor):
    n = x.shape[0]
    return x.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()


def keeps(x: torch.Tensor):
    KEPT.append(x)
    return x[1:]


def table():
    return TABLE


def table_or_rows(x: torch.Tensor):
    return TABLE[1:] if x.sum() > 1000 else x[1:]


def unseen(a: torch.Tensor):
    c = a * 2
    s = off_diagonal(c).pow_(2).sum()
    return s


def seen(a: torch.Tensor):
    c = a * 2
    s = off_diagonal(c).pow_(2).sum()  # T2J302
    return s + c.sum()


def seen_in_the_same_line(a: torch.Tensor):
    c = a * 2
    return off_diagonal(c).pow_(2).sum() + c.sum()  # T2J302


def seen_in_the_next_round(a: torch.Tensor):
    c = a * 2
    t = 0
    for _ in range(2):
        t = t + off_diagonal(c).pow_(2).sum()  # T2J302
    return t


def kept(a: torch.Tensor):
    c = a * 2
    return keeps(c).pow_(2).sum()  # T2J302


def of_the_module(a: torch.Tensor):
    c = a * 2
    return table_or_rows(c).pow_(2).sum()  # T2J302


def of_the_module_by_name():
    t = table()
    t.add_(1)  # T2J303
    return TABLE.sum()
