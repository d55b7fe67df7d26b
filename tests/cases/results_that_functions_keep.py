"""What functions give and keep as well, in containers that they have made for it, changes for both."""

from collections import OrderedDict

import torch
import torch.nn as nn

KEPT = []


class Makes:
    def __init__(self):
        self.last = None

    def __call__(self, x):
        d = OrderedDict()
        d["x"] = x * 2
        self.last = d
        return d

    def named(self, x):
        d = {}
        d["x"] = x * 2
        KEPT.append(d)
        return {"out": d["x"], "n": 1}

    def listed(self, x):
        d = []
        d.append(x * 2)
        self.last = {"x": d}
        return 3, d

    def alone(self, x):
        items = []
        y = x * 2
        items.append(y)
        self.last = items
        return y

    def forgotten(self, x):
        d = OrderedDict()
        d["x"] = x * 2
        return d


def called():
    make = Makes()
    array = make(torch.ones(2))["x"].numpy()
    array += 1  # T2J303
    return make.last["x"]


def by_name():
    make = Makes()
    found = make.named(torch.ones(2))
    array = found["out"].numpy()
    array += 1  # T2J303
    return KEPT[0]["x"]


def in_a_list():
    make = Makes()
    n, found = make.listed(torch.ones(2))
    array = found[0].numpy()
    array += n  # T2J303
    return make.last["x"][0]


def on_its_own():
    make = Makes()
    y = make.alone(torch.ones(2))
    y += 1  # T2J303
    return make.last[0]


def by_nobody():
    make = Makes()
    array = make.forgotten(torch.ones(2))["x"].numpy()
    array += 1
    return array


class Keeps(nn.Module):
    def forward(self, x):
        KEPT.append(x)
        return x


class Held(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = torch.ones(2)

    def forward(self, x):
        if x.sum() > 100:
            return x
        return self.kept


class Plain(nn.Module):
    def forward(self, x):
        return x


class Sequences(nn.Module):
    def __init__(self):
        super().__init__()
        self.keeps = nn.Sequential(nn.Tanh(), Keeps())
        self.held = nn.Sequential(nn.Tanh(), Held())
        self.plain = nn.Sequential(nn.Identity(), Plain())

    def forward(self, x):
        a = self.keeps(x)
        a += 1  # T2J301
        b = self.held(x)
        b += 1  # T2J301
        c = self.plain(x)
        c += 1  # T2J301
        return a + b + c + x
