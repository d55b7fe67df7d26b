# The rows of a tensor are changed, and the tensor is bound again.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    e = x + 1
    for i, v in enumerate(e):
        v.index_fill_(0, torch.tensor([0]), 0.5)
    e = e.neg_() + x
    return e
