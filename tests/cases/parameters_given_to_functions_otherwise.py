"""Functions that change the members of what they are given, where a list keeps the parameters of a module, too."""

from torch import nn


def fill_all(tensors, value):
    for t in tensors:
        t.data.fill_(value)  # T2J303


net = nn.Linear(2, 2)
keep = list(net.parameters())  # T2J303
fill_all(keep, 0.5)
print(net.weight, keep[0])
fill_all(net.parameters(), 1.5)
print(net.weight, keep[0])
