# Where a mask says so, what is there is divided, or goes down to its remainder.
# entry: f
# inputs:
#     torch.tensor([[1, -1, 3], [1, 3, -3]]), 2
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, n: int):
    c = x * 1.5
    c[c > 1] //= n
    d = torch.ones(2, 3)
    d[c > 5] //= c[0, 0]
    e = x * 2
    e[e > 1] %= 3
    e[e > 2] &= n
    return c, d, e
