# A tensor of unknown type that is filled keeps its type.
# entry: f
# inputs:
#     torch.tensor([1, -2, 3])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    return x.masked_fill(x > 0, 0.5)
