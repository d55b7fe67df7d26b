# also: nnx, linen
"""Methods of a base class read properties and class attributes that only derived classes have, or have otherwise."""

from abc import ABC, abstractmethod

import torch
from torch import nn


class Scorer(ABC):
    @abstractmethod
    def embed(self, x):
        ...

    @property
    def model(self):
        raise NotImplementedError

    def score(self, x):
        return self.embed(x).sum(1) + self.model(x).mean(1)


class Embedded(Scorer):
    def __init__(self):
        self.net = nn.Linear(3, 2)
        nn.init.constant_(self.net.weight, 0.5)
        nn.init.constant_(self.net.bias, 0.1)

    @property
    def model(self):
        return self.net

    def embed(self, x):
        return self.net(x).relu()


x = torch.linspace(-1, 1, 12).view(4, 3)
a = Embedded()
print(a.score(x).tolist())
class Base:
    net_class = None
    size = None

    def __init__(self):
        self.net = self.net_class(3, self.size)
        for p in self.net.parameters():
            nn.init.constant_(p, 0.5)

    def predict(self, x):
        return self.net(x)

    def both(self, x):
        return self.predict(x).sum() + self.extra(x).sum()

    def twice(self, x):
        return self.part(x) * 2


class A(Base):
    net_class = nn.Linear
    size = 2

    def __init__(self):
        super().__init__()
        self.other = nn.Linear(3, 1)
        nn.init.constant_(self.other.weight, 0.25)
        nn.init.constant_(self.other.bias, 0.0)

    def extra(self, x):
        return self.other(x)

    @property
    def part(self):
        return self.other


x = torch.linspace(-1, 1, 12).view(4, 3)
a = A()
print(a.predict(x).sum().item(), a.both(x).item(), a.twice(x).sum().item())
