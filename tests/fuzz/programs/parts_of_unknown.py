# Strings are not split by numbers.
# entry: f
# inputs:
#     torch.tensor([2.0, 0.0, 1.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x):
    x /= 2

    def step(q):
        return q * 2 + x.split(1)[-1]

    return step(x)
