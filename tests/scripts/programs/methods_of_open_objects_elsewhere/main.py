# also: nnx, linen
"""A file that names nothing of torch is given what may be a tensor or an object with such methods of its own."""

import helpers
import torch


class Diagonal:
    def __init__(self, values):
        self.values = values

    def sub(self, other):
        return Diagonal([a - other for a in self.values])

    def div(self, other):
        return Diagonal([a / other for a in self.values])

    def tolist(self):
        return self.values


for entry in ({"value": Diagonal([1.0, 3.0])}, {"value": torch.tensor([1.0, 4.0])}):
    print(helpers.shifted(entry, 1).tolist(), helpers.halved(entry).tolist())
