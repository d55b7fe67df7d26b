# also: nnx, linen
"""Registries that are dicts themselves, or are called and asked like one."""

import torch
from torch import nn


def show(m, *a):
    for i, p in enumerate(m.parameters()):
        p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)
    m.train()
    print(m(torch.arange(6.0).view(2, 3) / 3).sum().item())
    m.eval()
    print(m(torch.arange(6.0).view(2, 3) / 3).sum().item())


class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(3, n)

    def forward(self, x):
        return self.fc(x)


class C(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.w = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.w * self.n


def _register_generic(module_dict, module_name, module):
    assert module_name not in module_dict
    module_dict[module_name] = module


class Registry2(dict):
    def __init__(self, *args, **kwargs):
        super(Registry2, self).__init__(*args, **kwargs)

    def register(self, module_name, module=None):
        if module is not None:
            _register_generic(self, module_name, module)
            return

        def register_fn(fn):
            _register_generic(self, module_name, fn)
            return fn

        return register_fn


R = Registry2()
R.register("a", A)


@R.register("d")
class D(C):
    pass


R.register("c")(C)
show(R["a"](2))
show(R["d"](2))
show(R["c"](2))


class Reg:
    def __init__(self):
        self.table = {}

    def __call__(self, name):
        def deco(cls):
            self.table[name] = cls
            return cls

        return deco

    def __getitem__(self, name):
        return self.table[name]

    def __setitem__(self, name, cls):
        self.table[name] = cls


NAMES = Reg()


@NAMES("d")
class Twice(C):
    pass


NAMES["a"] = A
show(NAMES["a"](2))
show(NAMES["d"](2))
