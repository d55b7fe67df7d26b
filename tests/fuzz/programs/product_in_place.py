# A matrix product makes a new tensor, also with `@=`.
# entry: f
# inputs:
#     torch.tensor([[2.75, -2.0, 0.625], [0.375, -0.25, 1.5]]), torch.tensor([[-2.375, 2.125, 2.875], [-2.125, -0.375, 0.75]]), torch.tensor([-0.25, -0.5, -0.875], dtype=torch.float64)
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


G1624_1 = {'a': torch.ones(3), 'b': 2}

def g1624_h3(d: Tensor, o: Tensor):
    pass

def f(x: Tensor, p: Tensor, q: Tensor):
    a, c = p.topk(2)
    c.mul_(2)
    table = {'a': a.unsqueeze(-2), 'b': p}
    a @= x + p
    with torch.no_grad():
        g = (q == 0.5).all(-1)

    def g1624_h2(d: Tensor, m: int=2):
        pass
    e = g1624_h2(c)
    u = g1624_h3(e, q)
    return (a, q, table, u, x)
