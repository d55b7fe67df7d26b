# also: nnx linen
"""Functions that load one of several models, and are given None for the others."""

import torch
from torch import nn


def load(G, D, table, ema=None, strict=True):
    if G is not None:
        G.load_state_dict(table, strict=strict)
    if D is not None:
        D.load_state_dict(table, strict=strict)
    if ema is not None:
        ema.load_state_dict(table, strict=strict)


net, other = nn.Linear(2, 1), nn.Linear(2, 1)
table = {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}
use = True
load(None, None, table)
load(net, None, table)
print(net(torch.ones(1, 2)).item())
load(None, other, table, ema=None, strict=False)
print(other(torch.ones(1, 2)).item())
