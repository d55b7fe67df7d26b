# What meshgrid gives is a view: writing to it is refused.
# entry: f
# inputs:
#     torch.tensor([1.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    w, c = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
    w = w * 1
    w[0] = 1
    c.squeeze_()
    return w, c
