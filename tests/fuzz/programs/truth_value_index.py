# `True` as an index may be that of a tensor.
# entry: f
# inputs:
#     torch.tensor([[0.25, -2.625, -1.25], [3.0, -1.5, -1.0]], dtype=torch.float64), torch.tensor([[-0.25, -2.25, -2.75], [-1.5, 2.75, 2.75]], dtype=torch.float64), torch.tensor([2.75, 2.25, -0.375]), 0.5, False
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x, p, q, s, flag):
    a = p
    a[True] = 1
