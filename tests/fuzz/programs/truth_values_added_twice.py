# Truth values plus twice truth values are truth values.
# entry: f
# inputs:
#     torch.tensor([1.0, -2.0, 3.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    return torch.add(x > 2, x > 0, alpha=2)
