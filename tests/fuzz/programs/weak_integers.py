# Truth values plus a Python int are integers of 64 bits, whatever is added to them.
# entry: f
# inputs:
#     torch.tensor([[1.0, 0.0], [0.0, 0.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    a = (x > 0).any(0) + 1
    a += (x > 0).any(1).to(torch.uint8)
    return a
