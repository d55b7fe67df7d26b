# Bytes stay bytes, whatever is added to them in place.
# entry: f
# inputs:
#     torch.tensor([[2, 0, 1], [-1, 2, 1]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    g = (x > 0.5).to(torch.uint8)
    g += x
    return g * 2
