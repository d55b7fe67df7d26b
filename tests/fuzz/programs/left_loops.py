# What a variable is where a loop is left or goes on early counts behind it, and so does `else` of a loop that is left.
# entry: f
# inputs:
#     torch.tensor([1.5, -2.0, 0.5]), 3
#     torch.tensor([1.5, -2.0, 0.5]), 1
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def f(x: Tensor, n: int):
    a = x > 3
    for i in range(3):
        if n > 2:
            a = x + 0.5
            break
        a = x > 2
    b = x > 3
    while n > 1:
        n -= 1
        if n == 1:
            b = x + 0.5
            continue
        b = x > 2
    c = x + 1
    for i in range(n):
        if n > 0:
            break
    else:
        c = x > 1
    return a * 3, b * 3, c * 3
