# What a call unpacks is seen by the parameters, and what is left of it by `*parts`.
# entry: f
# inputs:
#     torch.tensor([1.5, -2.0, 0.5])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def twice(d: Tensor):
    d = d.detach()
    return torch.add(d, d, alpha=2)


def counted(*parts):
    (d,) = parts
    u = d * 2
    u **= d.to(torch.uint8)
    return u


def f(x: Tensor):
    p = x > 1
    return twice(*[p]), counted(p)
