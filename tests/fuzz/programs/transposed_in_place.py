# What has been transposed in place has no view as a vector.
# entry: f
# inputs:
#     1.5
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(s: float):
    y = torch.zeros(2, 3)
    y = y.transpose_(0, 1)
    y.flatten()[1:] = s
    return y
