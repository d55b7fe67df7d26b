# The median of no numbers is NaN; what has a shape is a tensor, and a change of it is reported.
# entry: f
# inputs:
#     torch.tensor([[-1.0, -0.875, 1.875], [-1.0, -2.125, -2.125]])
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    n = torch.tensor(x.size(0) // 2) if x.sum() < 100 else x
    small = (x.abs() * 2).byte()
    return x[x > 100].median(), n.sigmoid(), small.any(), small.all(0), (x > 0).rsqrt(), torch.pow(x.half(), torch.tensor(2))
