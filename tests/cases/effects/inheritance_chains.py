"""Modules that inherit from several classes, and what they inherit."""

import torch
from torch import Tensor, nn


class Base(nn.Module):
    scale = 2.0

    def __init__(self, width=3):
        super().__init__()
        self.width = width
        self.fc = nn.Linear(width, width)
        nn.init.eye_(self.fc.weight)
        nn.init.zeros_(self.fc.bias)

    @property
    def device(self):
        return self.fc.weight.device

    @property
    def size(self):
        return self.width * 2

    def pre(self, x):
        return x * self.scale

    def forward(self, x):
        return self.fc(self.pre(x))


class Deeper(Base):
    def __init__(self, width=3, extra=1.0):
        super().__init__(width)
        self.extra = extra
        self.out = nn.Linear(width, 2)
        nn.init.constant_(self.out.weight, 0.5)
        nn.init.zeros_(self.out.bias)

    def forward(self, x):
        x = super().forward(x)
        return self.out(x) + self.extra


class Deepest(Deeper):
    scale = 3.0

    def pre(self, x):
        return super().pre(x) + 1


class NoInit(Base):
    def forward(self, x):
        return torch.relu(super().forward(x))


class LossMixin:
    def loss(self, x, y):
        return ((self(x) - y) ** 2).mean()


class Countable:
    def count(self):
        return sum(p.numel() for p in self.parameters())


class WithLoss(LossMixin, Countable, Base):
    pass


class OldStyle(Base):
    def __init__(self, *args, **kwargs):
        super(OldStyle, self).__init__(*args, **kwargs)
        self.bias = nn.Parameter(torch.ones(self.width))

    def forward(self, x):
        return super(OldStyle, self).forward(x) + self.bias


class Abstract(nn.Module):
    def body(self, x):
        raise NotImplementedError

    def forward(self, x):
        return self.body(x) + 1


class Concrete(Abstract):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))

    def body(self, x):
        return x * self.weight


class Static(nn.Module):
    names = ("a", "b")

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    @staticmethod
    def double(x):
        return 2 * x

    @classmethod
    def make(cls):
        return cls()

    def forward(self, x):
        return self.double(x) * self.weight


class Called(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Base()

    def forward(self, x):
        return self.inner.forward(x)


def case_base(x: Tensor):
    model = Base()
    return model(x), model.size


def case_deeper(x: Tensor):
    return Deeper(extra=0.5)(x)


def case_deepest(x: Tensor):
    return Deepest()(x)


def case_no_init(x: Tensor):
    return NoInit(width=3)(x)


def case_mixins(x: Tensor, y: Tensor):
    model = WithLoss()
    return model.loss(x, y), model.count()


def case_old_style(x: Tensor):
    return OldStyle(width=3)(x)


def case_abstract(x: Tensor):
    return Concrete()(x)


def case_static(x: Tensor):
    model = Static.make()
    return model(x), Static.double(x), len(model.names)


def case_called_forward(x: Tensor):
    return Called()(x)


def case_class_attribute(x: Tensor):
    model = Base()
    return model.scale, Deepest.scale


def case_trained_subclass(x: Tensor):
    model = Deeper()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
    return model.fc.weight, model.out.weight


# unchanged
def case_plain_classes():
    class One:
        def value(self):
            return 1

    class Two(One):
        def value(self):
            return super().value() + 1

    return Two().value()
