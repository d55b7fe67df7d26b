import torch
from torch import Tensor


def f(x: Tensor, c: float):
    w = torch.tensor([1, 2])
    w[w > 0] = 2.25
    b = torch.tensor([True])
    b[b == False] = 2
    u = torch.tensor([1.5])
    u[u > 1] = 2
    y = x.clone()
    y[y > 0] = 1.5
    y[y > 0] = -1e9
    y[y > 0] = c
    y[y > 0] = 0
    return w.masked_fill(w > 0, 0.5), b.masked_fill(b, 0), u.masked_fill(u > 0, 2), y.masked_fill(y > 0, 0.5)
