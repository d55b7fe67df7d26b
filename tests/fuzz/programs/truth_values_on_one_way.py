# A tensor that holds truth values on one way only keeps that type when it is changed in place.
# entry: f
# inputs:
#     torch.tensor([-2.125, -1.75, 1.0]), torch.tensor([[0, 5], [3, 3], [0, 2]])
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def pick(d: Tensor):
    if d.sum() > 1.5:
        return d * 2
    return d > -1


def f(x: Tensor, y: Tensor):
    g = pick(x)
    v = g.chunk(2)[0].flip(0)
    c = v.clone()
    c = c.add_(c, alpha=2)
    d = torch.fmod(torch.tensor([True, False, True]), 4)
    for i in range(d.shape[0]):
        d = torch.zeros(2, 3).ne(1)
    d.add_(d, alpha=2)
    e = (y > 2).byte() if x.sum() < 100 else x * 2
    e = e.clone()
    e.mul_(y)
    e += y
    e[0] += y[0]
    h = e[1].clone()
    h.add_(y[1])
    return [c, g, d, e, h]
