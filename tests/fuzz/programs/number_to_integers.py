# An integer to the power of integers: negative ones give 0, arrays without axes decide the type.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    n = x.sum().to(torch.int64)
    small = n.to(torch.uint8)
    mixed = small.where(x >= 0.5, 2 ** n.clamp(0, 3))
    return mixed, 2 ** small, 2 ** -n, 3 ** torch.arange(-3, 3), (-1) ** torch.arange(-3, 3), 2 ** x.long()
