# `v += 2` changes the tensor that `e` names, too.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    e = x + 1
    v = e
    v += 2
    e = e * 2
    return e, v
