# also: nnx, linen
"""A field of a module holds one of its methods, and another file calls it."""

import torch
from models import Branching, Choosing, Derived, Direct


class Twice(Direct):
    def __init__(self):
        super().__init__()
        self.run = self.twice

    def twice(self, x):
        return self.features(x) * 2


class Tripled(Direct):
    def features(self, x, scale=1.0, *, shift=0.0):
        return super().features(x, scale) * 3


x = torch.linspace(-1, 1, 12).reshape(4, 3)


def show(value):
    print([round(v, 4) for v in value.flatten().tolist()])


model = Direct()
show(model(x))
show(model.run(x))
show(model.run(x, 2.0, shift=0.5))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = (model.run(x, scale=2.0) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
for deep in (True, False):
    model = Branching(deep)
    show(model(x))
    show(model.way(x))
for deep in (True, False):
    model = Choosing(deep)
    show(model(x))
    show(model.pick(x * 2))
    model.eval()
    show(model.pick(x))
for kind in (Twice, Tripled):
    show(kind()(x))
show(Derived().again(x, 2.0))
