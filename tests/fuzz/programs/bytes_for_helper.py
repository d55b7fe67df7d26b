# Bytes that a helper is given by its caller.
# entry: f
# inputs:
#     torch.tensor([[1.25, 0.375], [2.5, -1.875]])
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def helper(d: Tensor, m: int = 2):
    if d.sum() > -1:
        return d * 2
    return m


def f(x: Tensor):
    q = (x == 1).to(torch.uint8)
    b = helper(q)
    return b.is_floating_point(), b
