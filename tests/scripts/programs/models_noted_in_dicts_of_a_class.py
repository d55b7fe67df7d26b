# also: nnx, linen
"""Models that a class method notes in dicts of its class, of which some keep statistics."""

import torch
from torch import nn


class Registry:
    mapping = {"model_name_mapping": {}, "head_name_mapping": {}, "state": {}}

    @classmethod
    def register_model(cls, name):
        def wrap(model_cls):
            if name in cls.mapping["model_name_mapping"]:
                raise KeyError(name)
            cls.mapping["model_name_mapping"][name] = model_cls
            return model_cls

        return wrap

    @classmethod
    def get_model_class(cls, name):
        return cls.mapping["model_name_mapping"].get(name, None)


registry = Registry()


@registry.register_model("a")
class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(3, n)

    def forward(self, x):
        return self.fc(x)


@registry.register_model("b")
class B(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        self.fc = nn.Linear(3, n)

    def forward(self, x):
        return self.fc(self.bn(x))


def build(name, n):
    return registry.get_model_class(name)(n)


for name in ("a", "b"):
    m = build(name, 2)
    for i, p in enumerate(m.parameters()):
        p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)
    print(m(torch.arange(6.0).view(2, 3)).sum().item())
    m.eval()
    print(m(torch.arange(6.0).view(2, 3)).sum().item())
