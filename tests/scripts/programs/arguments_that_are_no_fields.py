# also: nnx, linen
"""Modules that are made with arguments of any number, with lists, with names of the library's own, and those that derive from
others with arguments of their own."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * (0.1 + 0.01 * i)).reshape(p.shape) * 0.3)
    return model


class Widths(nn.Module):
    scale: float = 2.0

    def __init__(self, sizes=[3, 4], skips=[0], name="widths"):
        super().__init__()
        self.sizes = sizes + [2]
        self.skips = skips
        self.label = name
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(self.sizes, self.sizes[1:])])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            y = layer(x)
            x = y if i in self.skips else torch.tanh(y)
        return x * self.scale


class Act(nn.Module):
    def __init__(self, *shape, **options):
        super().__init__()
        self.fc = nn.Linear(*shape, **options)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Wrap(nn.Module):
    def __init__(self, inner, *others):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.inner = inner
        self.others = nn.ModuleList(others)

    def forward(self, x):
        x = self.inner(x)
        for other in self.others:
            x = other(x)
        return self.fc(x)


class Base(nn.Module):
    def __init__(self, dim, out):
        super().__init__()
        self.dim = dim
        self.fc = nn.Linear(dim, out)

    def forward(self, x):
        return self.fc(x) + self.dim


class Derived(Base):
    def __init__(self, out, scale, dim=3):
        super().__init__(dim, out * 2)
        self.scale = scale
        self.more = nn.Linear(out * 2, out)
        del out

    def forward(self, x):
        return self.more(super().forward(x)) * self.scale


class Third(Derived):
    def __init__(self, **kwargs):
        super().__init__(2, **kwargs)
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(super().forward(x))


x = torch.arange(12, dtype=torch.float32).reshape(4, 3) / 7
first = fill(Widths([3, 5], name="first"))
print(first(x).sum().item(), first.label)
model = fill(Wrap(Widths([3, 5], name="inner"), Act(2, 4, bias=False), Act(4, 2)))
print(model(x).sum().item(), model.inner.label)
print([name for name, _ in model.named_parameters()])
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(3):
    loss = (model(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
base = fill(Base(3, 2))
print(base(x).sum().item(), base.dim)
derived = fill(Derived(2, 0.5))
print(derived(x).sum().item(), derived.dim)
third = fill(Third(scale=2.0))
third(x)
third.eval()
print(third(x).sum().item())
