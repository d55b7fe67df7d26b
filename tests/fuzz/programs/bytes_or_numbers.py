# Bytes on one way, another type on others: how they are summed is not known.
# entry: f
# inputs:
#     torch.tensor([2.0, 0.0, 1.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x):
    p = x
    for _ in range(2):
        p = (p == 0.5).to(torch.uint8)
    return p.cumsum(0)
