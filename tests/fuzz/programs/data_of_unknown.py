# `.data` of something of which nothing says that it is a tensor.
# entry: f
# inputs:
#     torch.tensor([[-3, 1], [1, 1], [-1, 2]]), torch.tensor([-0.5, 0.375, 2.25]), torch.tensor([[-2.125, -0.5, 0.75], [-2.5, 2.125, -1.125], [-1.125, -1.625, -2.625]], dtype=torch.float64)
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def h(d: Tensor, m: int=2):
    pass

def f(x, p, q):
    g = q.data
