# also: nnx, linen
"""A table that an object keeps, and a decorator fills."""

import torch
import torch.nn as nn

_MODELS = {}


def register_model(fn):
    _MODELS[fn.__name__] = fn
    return fn


class Registry:
    def __init__(self):
        self.table = {}

    def register(self, name):
        def deco(cls):
            if name in self.table:
                raise KeyError(name)
            self.table[name] = cls
            return cls

        return deco

    def build(self, name, *args, **kw):
        return self.table[name](*args, **kw)

    def get(self, name):
        return self.table[name]


BLOCKS = Registry()


@BLOCKS.register("lin")
class Lin(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


@BLOCKS.register("scale")
class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.ones(n))

    def forward(self, x):
        return x * self.w


class Net(nn.Module):
    def __init__(self, n, block="lin"):
        super().__init__()
        self.body = BLOCKS.build(block, n)
        self.other = BLOCKS.get("scale")(n)
        self.out = nn.Linear(n, 2)

    def forward(self, x):
        return self.out(self.other(self.body(x)))


@register_model
def small(**kw):
    return Net(3, **kw)


@register_model
def big(**kw):
    return Net(5, **kw)


def create_model(name, **kw):
    if name not in _MODELS:
        raise ValueError(name)
    return _MODELS[name](**kw)


for name in sorted(_MODELS):
    for block in ("lin", "scale"):
        net = create_model(name, block=block)
        print(
            name, block, sum(p.numel() for p in net.parameters()), tuple(net(torch.ones(2, net.out.in_features)).shape)
        )
