# What is one of Python's numbers on one way and a tensor on another becomes a number.
# entry: f
# inputs:
#     torch.tensor([0.75, 2.125, 2.5]), 0
#     torch.tensor([0.75, 2.125, 2.5]), 2
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, n: int):
    total = 0
    last = 0.0
    for i in range(n):
        total += x.sum()
        last = x[i : i + 1]
    size = x.sum()
    for _ in range(n):
        (size,) = x.shape
    between = int(0 < size <= 3)
    both = int(torch.equal(x, x * n) and x.max() >= n)
    return float(total), float(last), between, both
