# A list as the index of something of unknown kind.
# entry: f
# inputs:
#     torch.tensor([[-1.625, 0.25, -1.75], [-2.75, 0.375, -1.0]]), torch.tensor([[-0.125, -2.75, 1.625], [-2.125, 1.25, -2.875]])
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x, p):
    b = p
    b[[0]] = 1
