"""Functions of torch.nn.init that are imported by their names, in the function that a model gives to `apply`."""

import torch
import torch.nn as nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.init import constant_, zeros_


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 4))
        self.apply(self._init)

    def _init(self, m):
        if isinstance(m, nn.Linear):
            constant_(m.weight, 0.5)
            zeros_(m.bias)

    def forward(self, x):
        with sdpa_kernel([SDPBackend.MATH]):
            return self.layers(x)


def scaled(layer, value):
    constant_(layer.weight, value)
    return layer


options = dict(kernel_size=(2, 2), stride=2)
unfold = nn.Unfold(**options)
fold = nn.Fold(output_size=(4, 4), **options)
image = torch.arange(16.0).reshape(1, 1, 4, 4)
print(Net()(torch.tensor([[1.0, 2.0, 3.0, 4.0]])).tolist())
print(scaled(nn.Linear(2, 2, bias=False), 0.25)(torch.ones(1, 2)).tolist())
print(fold(unfold(image)).tolist())
