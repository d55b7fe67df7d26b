# Integers to negative powers, where nothing says what the exponent is.
# entry: f
# inputs:
#     torch.tensor([-3, -2, 3])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    w = x.clone()
    w **= (lambda q, r=0: q + r)(x)
    x **= x.abs()
    return w, x
