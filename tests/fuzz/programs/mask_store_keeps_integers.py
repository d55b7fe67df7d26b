# A number with a fraction is cut to the type of the tensor that it is stored in.
# entry: f
# inputs:
#     torch.tensor([1, -2, 3])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    y = x * 2
    y[y > 0] = 2.5
    w = torch.tensor([1, 2])
    w[w > 1] = 0.75
    b = torch.tensor([True, False])
    b[b == False] = 2
    return y, w, b
