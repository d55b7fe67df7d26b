# The result of a recursive function is a tensor.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def halve(d: Tensor, depth: int):
    if depth == 0:
        return d
    return halve(d * 0.5, depth - 1)


def f(x: Tensor):
    c = halve(x, 2)
    c.neg_()
    return c
