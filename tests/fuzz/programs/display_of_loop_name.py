# What a loop goes over is lost under its name, and is there in the next round.
# entry: f
# inputs:
#     torch.tensor([1.0, 2.0])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor):
    w = x * 2
    for w in (w, w):
        w += 1.5
    return w
