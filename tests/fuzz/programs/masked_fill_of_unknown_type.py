# known: a tensor of unknown type that is filled is taken to be floating
# entry: f
# inputs:
#     torch.tensor([1, -2, 3])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    return x.masked_fill(x > 0, 0.5)
