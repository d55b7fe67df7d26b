# What has the shape and type of something that holds truth values on one way.
# entry: f
# inputs:
#     torch.tensor([[-1.5, -1.125], [2.25, -2.375], [-1.875, -1.625]]), torch.tensor([[-2.5, -2.75, 1.75], [-2.75, -2.25, -0.625], [0.5, -1.75, 1.0]]), torch.tensor([4, 0, -3]), 1.5
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, p: Tensor, q: Tensor, s: float):
    for a in (p, torch.tensor([False, True])):
        u = torch.zeros_like(a)
        u[1] += a.all(-1)
