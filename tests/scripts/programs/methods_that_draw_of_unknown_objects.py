# also: nnx
# Objects of which nothing says the class: sums of them, and what a registry of another kind gives. Methods of some classes draw.
import torch
import torch.nn as nn


class Walk:
    def __init__(self, start, scale):
        self.place, self.scale = start, scale

    def __add__(self, other):
        return Walk(self.place + other.place, self.scale)

    def __radd__(self, other):
        return self

    def move(self, x):
        return self.place + x + torch.randn(2) * self.scale

    def rebuilt(self):
        net = nn.Linear(2, 1)
        nn.init.constant_(net.weight, 0.5)
        nn.init.zeros_(net.bias)
        return net(self.place).item()


class Still:
    def __init__(self, start):
        self.place = start

    def move(self, x):
        return self.place * 1.0


class Registry:
    def __init__(self):
        self.items = []

    def __getattr__(self, name):
        return next(item for kind, item in self.items if kind == name)


total = sum([Walk(torch.ones(2), 0.0), Walk(torch.ones(2) * 2, 0.0)])
print(total.move(torch.ones(2)).sum().item(), total.rebuilt())
registry = Registry()
registry.items.append(("walk", total))
registry.items.append(("still", Still(torch.zeros(2))))
for thing in (registry.walk, registry.still):
    print(thing.move(torch.ones(2)).sum().item())
