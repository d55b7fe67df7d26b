# known: a parameter of truth values, of which nothing says so, is taken for numbers
# entry: f
# inputs:
#     torch.tensor([True, False])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    b = x.clone()
    b[b > 0.5] = 2
    return b
