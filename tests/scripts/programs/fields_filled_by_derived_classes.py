# also: nnx, linen
"""Methods of a base class use what classes derived from it put into its fields, which it leaves empty."""

import torch
from torch import nn


class Policy:
    def __init__(self):
        self.head = None
        self.limit = None
        self.tables = {}
        self.layers = []

    def act(self, x):
        out = self.head(x)
        for layer in self.layers:
            out = layer(out)
        if self.limit is not None:
            out = out.clamp(-self.limit, self.limit)
        return out

    def table(self, name):
        return self.tables[name].sum().item()


class Net(Policy):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 3)
        nn.init.constant_(self.head.weight, 0.2)
        nn.init.constant_(self.head.bias, 0.1)
        self.layers = [nn.Tanh(), nn.Softmax(dim=1)]
        self.limit = 0.3
        self.tables["a"] = torch.arange(3.0)


class Fixed(Policy):
    def __init__(self):
        super().__init__()
        self.head = lambda x: x[:, :3] * 2
        self.layers.append(torch.sigmoid)
        self.tables = {"a": torch.ones(2), "b": torch.zeros(1)}


x = torch.linspace(-1, 1, 24).view(6, 4)
for p in (Net(), Fixed()):
    print(p.act(x).sum().item(), p.table("a"))
class Base:
    def __init__(self):
        self.nets = []
        self.scale = None

    def outputs(self, x):
        return [net(x).sum().item() for net in self.nets]

    def scaled(self, x):
        if self.scale is None:
            return 0.0
        return (x * self.scale).sum().item(), self.scale.mean().item()


class Derived(Base):
    def __init__(self, net):
        super().__init__()
        self.nets = [net]
        self.scale = torch.full((3,), 2.0)


net = nn.Linear(3, 2)
nn.init.constant_(net.weight, 0.5)
nn.init.constant_(net.bias, 0.1)
d = Derived(net)
print(d.outputs(torch.ones(4, 3)), d.scaled(torch.ones(4, 3)))
