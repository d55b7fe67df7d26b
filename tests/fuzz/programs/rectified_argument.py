# `F.relu(x, inplace=True)` changes the argument: refused, as nobody calls `f`.
# entry: f
# inputs:
#     torch.tensor([1.0, -2.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    x = F.relu(x, inplace=True)
    return x + 1
