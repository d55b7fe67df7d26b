"""Methods that change their arguments: of plain classes, of modules, static and class methods; initialisers."""

import torch
from torch import Tensor, nn


class Counter:
    def __init__(self, start: Tensor):
        self.total = start.clone()
        self.calls = 0

    def count(self, values: Tensor):
        self.calls += 1
        values += 1
        self.total = self.total + values.sum()

    def halve(self, values: Tensor) -> Tensor:
        values.div_(2)
        return values

    @staticmethod
    def clip(values: Tensor, top: float):
        values.clamp_(max=top)
        return values.max()

    @classmethod
    def negate(cls, values: Tensor):
        values.neg_()

    def twice(self, values: Tensor):
        self.count(values)
        self.count(values)

    def __call__(self, values: Tensor):
        values.abs_()
        return values.sum()


def case_method(v: Tensor):
    counter = Counter(torch.zeros(()))
    y = v.clone()
    counter.count(y)
    return y, counter.total


def case_method_gives_its_argument(v: Tensor):
    counter = Counter(torch.zeros(()))
    y = v.clone()
    z = counter.halve(y)
    return y, z


def case_static_method(v: Tensor):
    y = v.clone()
    most = Counter.clip(y, 0.5)
    return y, most


def case_class_method(v: Tensor):
    y = v.clone()
    Counter.negate(y)
    return y


def case_through_methods(v: Tensor):
    counter = Counter(torch.zeros(()))
    y = v.clone()
    counter.twice(y)
    return y, counter.total, counter.calls


def case_call(v: Tensor):
    counter = Counter(torch.zeros(()))
    y = v.clone()
    s = counter(y)
    return y, s


def _shift_(t: Tensor, by: float):
    t.add_(by)


class Holder:
    def __init__(self, start: Tensor):
        self.data_ = start.clone()

    def shift(self):
        _shift_(self.data_, 1.0)
        _shift_(self.data_[0], 5.0)


def case_field_of_object(x: Tensor):
    holder = Holder(x)
    holder.shift()
    return holder.data_


def case_field_from_outside(x: Tensor):
    holder = Holder(x)
    _shift_(holder.data_, 2.0)
    return holder.data_


def constant_(t: Tensor, value: float = 0.5):
    with torch.no_grad():
        t.fill_(value)


def eye_(t: Tensor) -> Tensor:
    with torch.no_grad():
        t.zero_()
        t.fill_diagonal_(1.0)
    return t


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(3, 3))
        self.bias = nn.Parameter(torch.zeros(3))
        self.fc = nn.Linear(3, 3)
        self.register_buffer("scale", torch.ones(3))
        constant_(self.bias)
        eye_(self.weight)
        constant_(self.fc.weight.data, 0.25)
        eye_(self.fc.bias.data.view(1, 3))  # T2J303
        constant_(self.scale, 2.0)

    def forward(self, x):
        return self.fc(x @ self.weight + self.bias) * self.scale


class Initialised(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(3, 3))
        self.bias = nn.Parameter(torch.zeros(3))
        self.fc = nn.Linear(3, 3)
        self.register_buffer("scale", torch.ones(3))
        constant_(self.bias)
        eye_(self.weight)
        constant_(self.fc.weight.data, 0.25)
        constant_(self.fc.bias, 0.1)
        constant_(self.scale, 2.0)

    def forward(self, x):
        return self.fc(x @ self.weight + self.bias) * self.scale


def case_initialised(x: Tensor):
    net = Initialised()
    return net(x)


class Made(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(eye_(torch.empty(3, 3)))

    def forward(self, x):
        return x @ self.weight


def case_made(x: Tensor):
    return Made()(x)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        x += 1
        return self.norm(x)

    def masked(self, scores: Tensor, mask: Tensor):
        scores.masked_fill_(mask, -1e9)
        return scores.softmax(-1)


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block()
        self.second = Block()

    def forward(self, x: Tensor, mask: Tensor):
        x = self.first(x * 2)
        x = self.second(x)
        scores = x + 1
        weights = self.first.masked(scores, mask)
        return weights, scores


def case_blocks(x: Tensor, mask: Tensor):
    return Blocks()(x, mask)


class Block2(nn.Module):
    def forward(self, x):
        x += 1  # T2J300
        return x * 3


class Looks(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block2()

    def forward(self, x: Tensor):
        y = x * 2
        return self.block(y) + y
