# Arrays made of Python's numbers are not outweighed by narrower ones.
# entry: f
# inputs:
#     torch.tensor([-2.375, -2.375, 1.875])
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

N = 3


def f(x: Tensor):
    small = (x >= 0.5).to(torch.uint8)
    half = x.to(torch.float16)
    a = torch.add(torch.full((3,), -1), torch.full_like(small, 1), alpha=2)
    b = torch.add(torch.full((3,), N), small, alpha=2)
    c = torch.full((3,), float("-inf")) + half
    d = torch.where(x > 0, 1.0, 0.0).unsqueeze(0)[0]
    e = torch.stack([torch.tensor(1.5), torch.tensor(2.5), torch.tensor(3.0)])
    g = torch.stack([torch.tensor(1), torch.tensor(2), torch.tensor(3)])
    m = torch.tensor(2.5).expand(3)
    return a, b, c, d + half, torch.where(x > 0, d, half), torch.maximum(half, d), e * half, g * small, m * half, torch.tensor(2.5) * half
