# Truth values times a number are integers of 64 bits, wherever they go.
# entry: f
# inputs:
#     torch.tensor([1.0, -2.0, 3.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def less(*parts):
    d, o = parts
    d = d * 2
    d[torch.tensor([0, 1])] -= (o > 0).to(torch.uint8)[:2]
    return d


def f(x: Tensor):
    return less(x.numel() * (x > 0), x - 5)
