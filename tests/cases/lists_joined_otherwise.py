"""Tensors that lists take by `+=`, and that are changed in place under a name of their own."""

import torch

frames = []


class Kept:
    def __init__(self):
        self.items = []
        self.pairs = ()
        self.table = {"a": []}

    def add(self, x):
        self.items += [x]
        x += 1  # T2J303

    def pair(self, x):
        self.pairs += (x,)
        x.mul_(3)  # T2J303

    def put(self, x):
        self.table["a"] += [x]
        x.sub_(1)  # T2J303

    def take(self, x):
        self.items += [x]

    def take_by_name(self, x):
        items = self.items
        items += [x]

    def run(self, n):
        for i in range(n):
            x = torch.ones(2) * i
            self.items += [x]
            x += 1  # T2J303
        return self.items


def keep(x):
    global frames
    frames += [x]


def grow(items, x):
    items += [x]


def own(x):
    found = []
    found += [x]
    found += [x + 1]
    return torch.stack(found)


kept = Kept()
x = torch.ones(2)
kept.add(x)
kept.pair(x)
kept.put(x)
print(x, kept.items, kept.pairs, kept.table, kept.run(2))
y = torch.ones(2)
kept.take(y)
y += 1  # T2J303
u = torch.ones(2)
kept.take_by_name(u)
u += 1  # T2J303
z = torch.ones(2)
keep(z)
z += 1  # T2J303
items, w = [], torch.ones(2)
grow(items, w)
w *= 3  # T2J303
v = torch.ones(2)
print(own(v))
v += 1
print(y, u, kept.items, z, frames, w, items, v)
