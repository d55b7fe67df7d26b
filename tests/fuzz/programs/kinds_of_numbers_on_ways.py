# Numbers that are integers on one way and floats on another.
# entry: f
# inputs:
#     torch.tensor([0.5, 2.0]), True, 2
#     torch.tensor([0.5, 2.0]), False, 2
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, flag: bool, n: int):
    z = torch.full((3,), max(1.5, 3))
    a = 1 if flag else 2.5
    y = torch.full((3,), a)
    i = torch.arange(3)
    w = i * a
    t = torch.tensor(a)
    s = torch.tensor([a, 1])
    u = i.masked_fill(i > 0, a)
    v = x * a + n * a
    k = 0
    for j in range(3):
        k += 0.5
    r = torch.full((2,), k)
    return z, y, w, t, s, u, v, r, torch.zeros(3).fill_(a), i.clone().fill_(a), torch.tensor(True) * a, i + k, (i > 0) * k, torch.full_like(i, a), i.clamp(max=a), i ** a, torch.where(i > 0, i, a), torch.where(i > 0, 1, a), torch.add(i, a), i.new_full((2,), a), i.add(a), i.div(a), i.eq(a), torch.linspace(0, a, 3), torch.arange(a), torch.arange(0, a), x.clamp(min=a)
