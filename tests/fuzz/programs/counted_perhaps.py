# why: what holds truth values on one way only was multiplied by a number that let a later array decide the type
# entry: f
# inputs:
#     torch.tensor([-2.125, 0.625, -2.625]), False
#     torch.tensor([-2.125, 0.625, -2.625]), True
import torch
from torch import Tensor


def f(x: Tensor, flag):
    small = torch.ones(3, dtype=torch.uint8)
    g = x > 0
    if flag:
        g = x.long()
    a = g * 2
    b = 2 + g
    a -= small
    return a, b - small, (g * 3) + small
