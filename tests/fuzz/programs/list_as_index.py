# A store to something of unknown kind, with an index that no dictionary takes.
# entry: f
# inputs:
#     torch.tensor([-0.375, -1.5, 1.375]), torch.tensor([[-0.375, -1.5], [-1.0, -0.5], [-1.25, 0.125]]), torch.tensor([[-1.0, -1.625, -0.875], [-1.0, -2.75, 1.5]]), 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x, p, q, n):
    count = 0
    while count < 1:
        b = x * 2
        b[[0, 1]] *= count
        count += 1
