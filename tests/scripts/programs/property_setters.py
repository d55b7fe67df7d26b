"""Properties that have setters, and those of a base that `super()` reads, are tensors where tensors are kept."""

import torch


class Box:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = value * 2

    def top(self):
        return self.x.max(dim=-1).values


b = Box(torch.arange(4.0).reshape(2, 2))
print(b.x.argmax(dim=-1).tolist(), b.top().tolist(), b.x.max(-1)[0].tolist())
b.x = torch.ones(2, 2)
print(b.x.sum(dim=0).tolist(), b.x.size(0))


class A:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    def get(self):
        return self._x


class B(A):
    def top(self):
        return super().x.max(-1).values

    def top2(self):
        return super().get().max(dim=-1).values


b = B(torch.arange(4.0).reshape(2, 2))
print(b.top().tolist(), b.top2().tolist())
