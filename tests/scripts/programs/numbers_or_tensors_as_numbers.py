# also: nnx, linen
import torch


def best(m, so_far):
    value = float(m)
    return value if value < so_far else so_far


def whole(m):
    return int(m)


class Meter:
    def __init__(self):
        self.total = 0.0

    def update(self, value):
        self.total += float(value)

    def read(self, value):
        return bool(value)


print(best(0.1, 5.0) == 0.1, best(torch.tensor(0.5), 1.0))
print(whole(7.9), whole(torch.tensor(3.7)), whole(2**40))
meter = Meter()
meter.update(0.1)
meter.update(0.2)
print(meter.total)
meter.update(torch.tensor(0.5))
print(meter.read(0.0), meter.read(torch.tensor(1.0)))
print(float(torch.tensor([2.5])))
