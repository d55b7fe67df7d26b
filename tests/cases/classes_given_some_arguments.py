from functools import partial

import torch
import torch.nn as nn


class Scaled(nn.Linear):
    def __init__(self, a, b, s=1.0):
        super().__init__(a, b)
        self.s = s

    def forward(self, x):
        return super().forward(x) * self.s


class Half(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.s = s

    def forward(self, x):
        return x * self.s


made = partial(Scaled, s=2.0)
layer = made(2, 2)
kind = Scaled
other = partial(kind, s=3.0)
kind = Half
print(other(2, 2)(torch.ones(1, 2)).shape)  # T2J609
half = partial(Half, s=0.5)()
print(half(layer(torch.ones(1, 2))).shape)


class Kept:
    kind = partial(Scaled, s=2.0)  # T2J400


def made_of(make):
    return make()(2, 2)


print(made_of(lambda: partial(Scaled, s=2.0))(torch.ones(1, 2)))  # T2J400
