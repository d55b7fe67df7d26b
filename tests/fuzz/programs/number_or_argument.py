# `q //= ...` of what is a tensor in another place of the function changes the argument: reported.
# entry: f
# inputs:
#     torch.tensor([[4, 2, 0], [4, -2, 4]]), torch.tensor([[-3, 1, 2], [1, -2, 3]])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(p, q):
    if p.max() >= p.min():
        q //= round(-1, 1)
        q = p.squeeze()
    v = p.unsqueeze(0) * q
    return p, q, v
