# A tensor without axes that a mask stores takes the type of what it is stored to.
# entry: f
# inputs:
#     torch.tensor([[1, -1, -3], [1, 3, -3]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    z = 3 + x * 2
    c = torch.zeros(3)
    z[z >= 1] = c[1]
    return z
