# torch takes axis 0 and -1 of a tensor without dimensions: refused.
# entry: f
# inputs:
#     torch.tensor([1.0, 2.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    return x.max().cumsum(0)
