# flagged: T2J302
"""Functions that change what they are given, if they are asked to, and that another file keeps in a table."""

import torch
from acts import *

table = dict(swish=swish, other=torch.tanh)


def get(name):
    return table[name]


x = torch.linspace(-1, 1, 5)
act = get("swish")
print(act(x).tolist())
print(Swish(True)(x + 1).tolist())
