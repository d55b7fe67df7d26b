# also: nnx, linen
"""Tensors of fields that are changed in place under another spelling: by getattr, or by a property that gives the field."""

import torch


class Box:
    pass


class Meter:
    def __init__(self):
        self._total = torch.zeros(3)
        self._rows = [torch.zeros(2), torch.ones(2)]

    @property
    def total(self):
        """The sums so far."""
        return self._total

    @property
    def rows(self):
        return self._rows

    def update(self, x):
        self.total.add_(x)
        self.total[0] += 1
        self.rows[0].add_(x[:2])


def count():
    meter = Meter()

    def step():
        meter.total.add_(1)

    step()
    step()
    return meter.total


box = Box()
box.x, box.y = torch.zeros(3), torch.zeros(3)
getattr(box, "x")[0] = 1.0
getattr(box, "x")[1], getattr(box, "y")[2] = 4.0, 5.0
getattr(box, "y").mul_(2)
print(box.x.tolist(), box.y.tolist())

meter = Meter()
meter.update(torch.ones(3))
print(meter.total.tolist(), meter._total.tolist(), meter.rows[0].tolist())
print(count().tolist())
