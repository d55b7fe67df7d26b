# What is computed from the result of a recursive function is a tensor.
# entry: f
# inputs:
#     torch.tensor([1.5, -2.0, 0.5])
import torch
from torch import Tensor


def double(d: Tensor, depth: int):
    if depth == 0:
        return d
    return double(d + 1, depth - 1) * 2


def f(x: Tensor):
    q = double(x, 1)
    q[0] = 1
    return q
