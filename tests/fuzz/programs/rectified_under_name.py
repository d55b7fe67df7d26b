# An activation in place of an argument, under another name: refused, as nobody calls `f`.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x):
    p = F.leaky_relu(x, 0.1, inplace=True)
