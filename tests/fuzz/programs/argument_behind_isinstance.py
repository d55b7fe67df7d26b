# What a test with isinstance tells of a variable does not make another tensor of it: the caller sees the change.
# entry: f
# inputs:
#     torch.tensor([1.0, 2.0]), torch.tensor([3.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, y: Tensor):
    g = x * 1

    def change(d: Tensor):
        if isinstance(d, torch.Tensor):
            d[0] *= 2
            d.unsqueeze_(0)

    change(g)
    return g, y
