# also: nnx, linen
"""Operators of Python that are called by their names."""

import operator

import torch


class Bag:
    def __init__(self):
        self.items = {}

    def __setitem__(self, key, value):
        self.items[key] = value

    def __getitem__(self, key):
        return self.items[key]


class Loud(dict):
    def __setitem__(self, key, value):
        print("set", key)
        super().__setitem__(key, value)


def first_to(t, value):
    t.__setitem__(0, value)


x = torch.arange(4.0)
seen = x
x.__setitem__(0, 6.0)
operator.setitem(x, 1, 7.0)
torch.Tensor.__setitem__(x, 2, 8.0)
x.__iadd__(1)
operator.imul(x, 2)
x = operator.isub(x, 3)
print(x, seen)
first_to(x, 1.5)
print(x, seen, operator.getitem(x, 1), operator.add(x, 1))

row = x.__getitem__(slice(0, 2))
row.mul_(2)
print(x, row)
tensors = [torch.arange(4.0), torch.ones(3)]
for t in tensors:
    t.__setitem__(0, 9.0)
    t.__imul__(2)
print(tensors[0], tensors[1])
table = {}
table.__setitem__("a", 1)
print(table, table.__getitem__("a"))
bag = Bag()
bag.__setitem__("x", torch.ones(2))
print(bag.__getitem__("x"))
loud = Loud()
loud["a"] = 2
print(loud)
