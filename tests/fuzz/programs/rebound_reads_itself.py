# What stands behind an operation in place reads the changed tensor.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    v = x + 1
    v = v.mul_(2) + v
    return v
