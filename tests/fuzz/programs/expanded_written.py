# All elements that an expanded tensor repeats change together in torch: refused.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    b = (x[0] / 2).expand(2, -1)
    b[0] = 1
    return b
