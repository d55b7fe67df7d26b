"""What changes an argument in place and is called by nobody in sight is told as a warning, if its result is right."""

import torch
from torch import Tensor, nn


class Scale(nn.Module):
    def __init__(self, size: int, inplace: bool = False):
        super().__init__()
        self.inplace = inplace
        self.gain = nn.Parameter(torch.ones(size))

    def forward(self, x: Tensor) -> Tensor:
        return x.mul_(self.gain) if self.inplace else x * self.gain


class Normalise(nn.Module):
    def forward(self, x: Tensor):
        x -= x.mean()
        return x / x.std()


def filled_(weight: Tensor) -> Tensor:
    bound = weight.shape[-1] ** -0.5
    weight.fill_(bound)
    return weight


def changed_and_more(weight: Tensor):
    weight += 1  # T2J300
    return weight.sum()


class Called(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor):
        y = x * 2
        z = self.inner(y)
        return y + z + self.inner(x * 3)


class Inner(nn.Module):
    def forward(self, x: Tensor):
        x += 1  # T2J300
        return x.sum()
