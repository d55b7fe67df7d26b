# Truth values on one way, added with a factor.
# entry: f
# inputs:
#     torch.tensor([[-2, 0, -3], [3, -1, 4]]), 2
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, n: int):
    b = torch.zeros_like(x)
    b[...] -= n
    count = 0
    while b.sum() < 1 and count < 3:
        if torch.ones(3).mean() < 0.5:
            if not x.dtype == torch.bool:
                pass
        else:
            b = torch.tensor([True, False, True])
    z = x.clone()
    z += torch.add(b, b, alpha=2)
    items = []
    z = (z // 3).abs().sqrt()
    return (count, items, n, x, z)
