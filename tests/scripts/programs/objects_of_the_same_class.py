# also: nnx linen
"""Objects that methods make of the class of their own object, whichever that is."""

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, width=2):
        super().__init__()
        self.width = width

    def twin(self):
        return self.__class__(self.width + 1)

    def forward(self, x):
        return x * self.width


class Sub(Base):
    def __init__(self, width=2):
        super().__init__(width)
        self.fc = nn.Linear(2, width)
        for p in self.parameters():
            nn.init.constant_(p, 0.5)

    def forward(self, x):
        return self.fc(x)


class Spec:
    def __init__(self, n, scale=1.0):
        self.n, self.scale = n, scale
        self.noise = torch.rand(n)

    def scaled(self, factor):
        return type(self)(self.n, self.scale * factor)


x = torch.ones(2, 2)
print(Base().twin()(x).sum().item(), Sub(3).twin()(x).shape, Sub(3).twin()(x).sum().item())
spec = Spec(2).scaled(3.0)
print(spec.scale, spec.noise.shape, type(spec)(4).noise.shape, type(spec).__name__)
other = Sub(4)
print(type(other)(3)(x).shape, type(other).__name__, other.twin().__class__.__name__)
