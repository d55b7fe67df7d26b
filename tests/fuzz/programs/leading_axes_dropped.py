# torch drops leading axes of size 1 of what is stored.
# entry: f
# inputs:
#     torch.tensor([[1.0, 2.0, 3.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    z = torch.zeros(2, 3)
    z[0] = torch.ones(1, 3)
    return z + x
