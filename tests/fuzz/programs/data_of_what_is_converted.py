# What `to` is called on may be a tensor: its `data` is reported, where nothing else tells.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x):
    x = x.data
    while x.size(0) > 1:
        a = x + 1
        a[...] = 2
        x = x.to(a.dtype)[1:]
    return x
