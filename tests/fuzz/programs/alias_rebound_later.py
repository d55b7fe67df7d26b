# A view is written to while its base is in use, and the base's name is bound to something else in the end.
# entry: f
# inputs:
#     torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    e = x + 1
    v = e[0]
    v.mul_(2)
    r = e * 1
    e = x * 2
    return r, e
