"""Modules with state and optimizers that change places take what belongs to them along."""

import torch
import torch.nn as nn

x = torch.arange(8.0).view(4, 2) / 8


def turns(n):
    a, b = nn.BatchNorm1d(2), nn.BatchNorm1d(2)
    for i in range(n):
        a(x + i)
        a, b = b, a
    return a.running_mean.tolist(), b.running_mean.tolist()


a, b = nn.Sequential(nn.BatchNorm1d(2)), nn.Sequential(nn.BatchNorm1d(2))
a(x)
a(x + 1)
a, b = b, a
print(a[0].running_mean.tolist(), b[0].running_mean.tolist())
kept = a
a = b
b = kept
b(x)
print(a[0].running_mean.tolist(), b[0].running_mean.tolist(), turns(3))
