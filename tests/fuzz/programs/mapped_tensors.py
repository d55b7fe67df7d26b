# What a lambda gives is known from what is passed to it.
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
