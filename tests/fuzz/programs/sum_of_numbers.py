# Arithmetic of torch on two Python numbers gives a tensor, not a number.
# entry: f
# inputs:
#     torch.tensor([1.0, 2.5])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def pick(d: Tensor):
    return abs(1 if d.max() >= d.min() else -2)


def f(x: Tensor):
    n = pick(x)
    added = [torch.add(n, n), torch.add(n, 2, alpha=3), torch.add(False, True, alpha=2)]
    taken = [torch.sub(n, 2), torch.subtract(n, 2, alpha=3)]
    others = [torch.mul(n, 3), torch.multiply(True, True), torch.div(n, 2), torch.true_divide(n, 4)]
    whole = [torch.div(7, 2, rounding_mode="floor"), torch.div(-7, 2, rounding_mode="trunc"), torch.floor_divide(-7, n + 1)]
    return added, taken, others, whole, torch.add(n, n).item()
