# known: what `map` gives is of unknown kind: the store is left as it is, and JAX raises
# entry: f
# inputs:
#     torch.tensor([1.0, -2.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    a, b = map(lambda e: e + 1, (x, x))
    a[0] = 2
    return a, b
