# also: nnx, linen
"""NumPy's own types, whose names look like methods that change a tensor in place."""

import numpy as np
import torch


def decide(value):
    if isinstance(value, np.bool_):
        return "numpy"
    return "other"


def count(flags):
    return torch.tensor(np.int_(sum(flags))) + 1


for value in (False, np.bool_(0), np.bool_(3 > 2)):
    print(decide(value), bool(value))
print(count([True, False, True]).item(), torch.tensor(bool(np.bool_(1))).float().item())
