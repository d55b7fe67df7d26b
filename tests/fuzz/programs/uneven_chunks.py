# known: `chunk` into as many names raises where the pieces are not equal, instead of making the last one smaller
# entry: f
# inputs:
#     torch.tensor([1.0, 2.0, 3.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    a, b = x.chunk(2)
    return a, b
