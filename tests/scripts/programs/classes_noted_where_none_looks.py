# flagged: T2J609
"""Classes of models that a base class notes, of which a partial is kept, or that a registry gives one after the other."""

from functools import partial

import torch
from torch import nn


class Noted:
    known = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        Noted.known[cls.__name__] = cls


class Registry:
    def __init__(self):
        self.table = {}
        self.partials = {}

    def register(self, name, **given):
        def noted(cls):
            self.table[name] = cls
            self.partials[name] = partial(cls, **given)
            return cls

        return noted

    def build(self, name):
        return self.partials[name]()

    def __iter__(self):
        return iter(self.table.items())


MODELS = Registry()


@MODELS.register("small", width=2)
class Small(nn.Module, Noted):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(3, width)

    def forward(self, x):
        return self.fc(x)


print(Noted.known["Small"](2)(torch.ones(1, 3)).shape)
print(MODELS.build("small")(torch.ones(1, 3)).shape)
for name, kind in MODELS:
    print(name, kind(2)(torch.ones(1, 3)).shape)
