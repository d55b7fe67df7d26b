# A row of the round before cannot be read again where its number may not be bound yet.
# entry: f
# inputs:
#     torch.tensor([[-2, 0], [2, 2], [5, 4]]), torch.tensor([[-1.125, -0.625], [1.875, 0.875], [-2.5, 1.875]], dtype=torch.float64), 1, 0.5
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, p: Tensor, n: int, s: float):
    w = torch.zeros(2, 3)
    count = 0
    while w.sum() < 3 and count < 3:
        w.clamp_(2, 3)
        for i, g in enumerate(w):
            pass
        else:
            y = g * 2
        count += 1
    w += 0.5
