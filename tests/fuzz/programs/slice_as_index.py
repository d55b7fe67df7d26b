# A store to something of unknown kind, with an index that no dictionary takes.
# entry: f
# inputs:
#     torch.tensor([1.875, 2.125, -1.75]), torch.tensor([[-0.125, -2.125], [-2.875, -0.75], [0.375, 2.375]]), 0.5, False
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x, p, s, flag):
    p[slice(0, 1)] += s
