# A store to an item of something of which nothing says what it is.
# entry: f
# inputs:
#     torch.tensor([[2.75, 0.0, 0.625], [-0.5, 2.75, 1.625]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(p):
    g, *u = p
    u[0][0] = 3
    return g, u
