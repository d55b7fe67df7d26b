# A field of an object that another method gives another type: what reads it in between knows of both.
# entry: f
# inputs:
#     torch.tensor([1.5, -2.0, 0.5])
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class Box:
    def __init__(self, x):
        self.x = x

    def times(self):
        return self.x * 3

    def push(self, y):
        self.x = self.x + y
        return self


def f(x: Tensor):
    box = Box(x > 1)
    box.push(torch.ones(3))
    return box.times()
