# `x.T` is a view, if `x` is a tensor: changing it changes the argument.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0], [0.25, 3.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x):
    u = torch.linspace(0, 1, 3)
    q = x.T
    q /= round(4, 1)
    return u, q, x
