# also: nnx, linen
"""`nonzero()` of what nothing is known of: what is done with the result shows that it is one of a tensor."""

import numpy as np
import torch


class Words:
    def __init__(self, end):
        self.end = end


def made(name):
    return globals()[name]()


def rows():
    return [torch.tensor([3, 7, 2, 9]), torch.tensor([7, 7, 1, 0])]


def cut(words):
    found = []
    for row in made("rows"):
        found.append(row[: (row == words.end).nonzero()[0, 0] + 1])
    return found


def chosen(flags):
    return (flags == 1).nonzero().squeeze(1)


def arrays(values):
    return [int(item) for item in (np.asarray(values) > 1).nonzero()[0]]


for row in cut(Words(7)):
    print(row.tolist())
print(chosen(torch.tensor([0, 1, 1])).tolist())
print(arrays([0, 2, 3]))
