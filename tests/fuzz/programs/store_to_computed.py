# No dictionary is the result of an operator, whatever is in the brackets.
# entry: f
# inputs:
#     torch.tensor([[2.0, 0.0, 1.0]]), 0
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x, n):
    v = x * 2
    v[n] *= 3
    return v
