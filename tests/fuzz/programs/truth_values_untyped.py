# Truth values made of something unannotated, added to in place.
# entry: f
# inputs:
#     torch.tensor([[0.25, -0.5, 1.125], [-2.25, 2.875, 1.625], [-1.875, 0.375, -1.0]]), torch.tensor([[-0.125, -0.625, -0.375], [-1.625, -2.625, -2.75]], dtype=torch.float64)
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x, p):
    x = x > 1
    x.add_(x, alpha=2)
    return x
