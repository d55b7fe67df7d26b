# Parts of truth values that are added to, multiplied and raised; bytes in a chain of methods.
# entry: f
# inputs:
#     torch.tensor([[1, -1, 3], [1, 3, -3]]), 1
#     torch.tensor([[1, -1, 3], [1, 3, -3]]), 2
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, n: int):
    z = x > 0
    z[0] += True
    z[1] *= x[0] > 1
    z[..., 0] **= True
    y = x > 0
    if n > 1:
        y = x * 2
    y[-2] += True
    w = x > 0
    if n > 1:
        w = x * 2
    w[torch.arange(2), torch.tensor([0, 1])] **= x.sum()
    u = (x > 0).to(torch.uint8)
    u.mul_(2).add_(x)
    return z, y, w, u
