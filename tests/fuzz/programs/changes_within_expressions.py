# why: views changed in place within an assignment, and changes within the value of a store, did not reach their base
# entry: f
# inputs:
#     torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
import torch
from torch import Tensor


def f(x: Tensor):
    x = x.clone()
    y = torch.ones(2)
    w = x.view(-1).add_(1)
    v = x.t().mul_(2)
    u = x * 1
    y += u.add_(1).mul_(2).sum()
    y[0] = u.neg_().sum()
    h = [r * 2 for r in x]
    a, b = h
    b.add_(1)
    c = a.view(-1).mul_(3)
    return x, y, w, v, u, h, c, u.view(-1).sub_(1), u
