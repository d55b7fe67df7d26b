# A tuple of literal integers is an index, where nothing says that it is a key.
# entry: f
# inputs:
#     torch.tensor([[2.75, 0.0, 0.625], [-0.5, 2.75, 1.625]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def h(*parts):
    d, o = parts
    o[(0, 1)] = 3
    return torch.ones(o.shape)


def f(x: Tensor):
    return h(1, x.clone())
