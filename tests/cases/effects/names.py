"""In-place operations on names."""

import torch
from torch import Tensor


def case_augmented():
    x = torch.tensor([1.0, 2.0])
    x += 1
    return x


def case_method_of_argument_copy(x: Tensor):
    x = x.clone()
    x.mul_(2).add_(1)
    return x


# unchanged
def case_dictionary():
    counts = {}
    counts["a"] = 1
    counts["a"] += 2
    return counts


# random
def case_noise(x: Tensor):
    return x + torch.randn_like(x)


def case_refused(x: Tensor):
    b = x[0].expand(2, -1)
    b[0] = 1  # T2J300
    return b
