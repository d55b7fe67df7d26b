# flagged: T2J301
"""Several indices that may all be without axes give a view, as numbers do, and what they pick changes the whole."""

import torch


def stored(x, i, j):
    row = x[i, j]
    row[0] = 9
    return x


def doubled(x, i, j):
    row = x[i, j]
    row.mul_(2)
    return x


x = torch.arange(12.0).reshape(2, 3, 2)
print(stored(x, torch.tensor(1), torch.tensor(2)).sum().item())
print(doubled(x, torch.tensor(1), torch.tensor(2)).sum().item())
