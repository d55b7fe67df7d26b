# Outside of training, dropout gives back what it was given.
# entry: f
# inputs:
#     torch.tensor([[1.5, 0.75, 0.625], [0.875, -2.875, -2.875]]), False
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, training: bool):
    v = x + 1
    e = F.dropout(v, 0.5, training)
    e.fill_(0.5)
    return e, v
