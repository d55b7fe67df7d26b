# A view that a loop goes on with, or that a `try` leaves behind, is one behind it, too.
# entry: f
# inputs:
#     torch.tensor([[-0.75, 0.375, 2.125], [3.0, -1.25, 1.125]]), 3
#     torch.tensor([[-0.75, 0.375, 2.125], [3.0, -1.25, 1.125]]), 0
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, n: int):
    a = x + 1
    u = x * 2
    for row in a:
        u = row
        if n > 2:
            continue
        u = x.sum(0)
    u += 1
    return a, u
