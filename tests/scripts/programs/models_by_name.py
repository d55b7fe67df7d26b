"""Tables of models: classes, functions and lambdas side by side, some of which draw and some of which do not."""

import torch
import torch.nn as nn


class Narrow(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Linear(3, width)

    def forward(self, x):
        return self.fc(x)


class Same(nn.Module):
    """Nothing to be drawn."""

    def forward(self, x):
        return x


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(x)


def make_deep(**kwargs):
    return nn.Sequential(nn.Linear(3, 3), Narrow(**kwargs))


def make_same():
    return Same()


x = torch.ones(2, 3)
MODELS = {"narrow": Narrow, "deep": make_deep}
ZOO = {
    # each with its settings
    "wide": lambda: Narrow(5),
    "net-b": lambda width=6: Narrow(width=width),
    "plain": lambda width=7: nn.Linear(3, width),
}


def count(net):
    return sum(p.numel() for p in net.parameters())


for name in ["narrow", "deep"]:
    net = MODELS[name](width=2)
    print(name, net(x).shape, count(net))
for name, make in ZOO.items():
    net = make()
    print(name, net(x).shape, count(net))
for table in ({"a": Narrow, "b": Same}, {"a": Narrow, "b": make_same}):
    for name in ["a", "b"]:
        net = table[name]()
        print(name, net(x).shape, count(net))
normed = {"a": Narrow, "b": Normed}
for name in ["a", "b"]:
    net = normed[name]()
    print(name, net(x).shape, count(net))


def build(kind, width):
    makers = {"a": lambda: Narrow(width), "b": lambda: nn.Linear(3, width)}
    if kind not in makers:
        raise ValueError(kind)
    return makers[kind]()


print(build("b", 9)(x).shape, count(build("a", 2)))
