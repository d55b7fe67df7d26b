# What a lambda gives is known from what is passed to it.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    double = lambda q: q * 2
    a = double(x)
    a[:, 1:] = 2
    return a
