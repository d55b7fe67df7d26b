"""Parameters come in torch's order: those of a module itself before those of its parts; and `next` takes the first one."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.scale = nn.Parameter(torch.full((4,), 2.0))
        self.parts = nn.ModuleList([nn.Linear(2, 5), nn.Linear(5, 1)])
        with torch.no_grad():
            for p in self.parameters():
                p.fill_(0.5)

    def first(self):
        return next(self.parameters())

    def zeros(self, n):
        weight = next(self.parameters())
        return weight.new_zeros(n).to(next(self.parameters()).dtype)


def case_shapes():
    model = Net()
    shapes = [tuple(p.shape) for p in model.parameters()]
    total = sum(p.numel() for p in model.parameters())
    return shapes, list(model.parameters())[0], total, len(list(model.parameters()))


def case_first():
    model = Net()
    name, value = next(model.named_parameters())
    return model.first(), model.zeros(3), name, value, next(iter(model.parameters())), next(model.parameters(), None)


def case_one_by_one():
    model = Net()
    found = iter(model.parameters())
    a = next(found)
    b = next(found)
    return a, b.shape, max(p.numel() for p in model.parameters())


def case_loop():
    sizes = []
    for p in Net().parameters():
        sizes.append(p.shape[0])
    return sizes
