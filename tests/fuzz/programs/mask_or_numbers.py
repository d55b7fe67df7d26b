# Truth values on one way, numbers on another: what is filled in keeps the type.
# entry: f
# inputs:
#     torch.tensor([[2.0, 0.0, 1.0], [-1.0, 2.0, 1.0]])
#     torch.tensor([[2.0, 0.0, -1.0], [-1.0, -2.0, 1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    v = x.isfinite()
    if x.mean() < 0.5:
        v = torch.zeros(2, 3)
    v.masked_fill_(x > 1, -2)
    return v
