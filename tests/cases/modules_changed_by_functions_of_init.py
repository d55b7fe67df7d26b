"""A function that `__init__` makes and gives away changes a field: it has no way to the state of the module."""

from torch import nn


class Counting(nn.Module):
    def __init__(self, module, registry):
        super().__init__()
        self.module = module

        def reset():
            self.count = 0  # T2J601 T2J606

        registry.append(reset)
        self.count = 0

    def forward(self, x):
        self.count = self.count + 1
        return self.module(x)
