# `masked_fill` keeps the type of integers and of truth values.
# entry: f
# inputs:
#     torch.tensor([1, -2, 3])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    w = x.long()
    b = w > 0
    return w.masked_fill(w > 0, 0.5), b.masked_fill(b, 0)
