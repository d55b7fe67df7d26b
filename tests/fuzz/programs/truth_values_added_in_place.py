# known: `.at[...].add` of truth values
# entry: f
# inputs:
#     torch.tensor([[True, False], [True, True]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    w = torch.zeros_like(x)
    w[1, 1] += x[1, 0]
    return w
