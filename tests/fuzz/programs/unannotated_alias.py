# Nothing says that `x` is a tensor: a store to it is refused.
# entry: f
# inputs:
#     torch.tensor([1.0, 2.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x):
    b = x
    b[1] = 1
    return b * 2
