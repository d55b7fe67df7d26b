# A nested function reads a variable that is bound to truth values later.
# entry: f
# inputs:
#     torch.tensor([[2.125, 0.5, -2.5], [0.75, 2.875, 1.125]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    def step(q):
        return q * 2 + F.leaky_relu(x, 0.1)

    x = step(torch.arange(3))
    x.div_(2)
    y = x + 1
    x = x > 1
    return x, y
