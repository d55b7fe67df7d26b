# What may be a Python number is given to one name alone by `*=`.
# entry: f
# inputs:
#     torch.tensor([[4, 5, 4], [2, -1, 5]]), torch.tensor([2.875, -1.25, -1.5])
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f_h1(d: Tensor, m: int=2):
    if False:
        return d * 2
    return m

def f(x: Tensor, p: Tensor):
    w = f_h1(p, 3)
    k = w
    w *= 3
    return k
