# also: nnx
"""Functions that go down a module and fill its parts by their names, parts that are told to fill themselves, methods of base classes that do."""

from typing import Callable

import torch
import torch.nn as nn


def named_apply(fn: Callable, module: nn.Module, name="", depth_first=True, include_root=False) -> nn.Module:
    if not depth_first and include_root:
        fn(module=module, name=name)
    for child_name, child_module in module.named_children():
        child_name = ".".join((name, child_name)) if name else child_name
        named_apply(fn=fn, module=child_module, name=child_name, depth_first=depth_first, include_root=True)
    if depth_first and include_root:
        fn(module=module, name=name)
    return module


def by_name(module: nn.Module, name: str = ""):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.02 * (1 + len(name)))
        if module.bias is not None:
            nn.init.zeros_(module.bias)


def plain(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.2)
        nn.init.constant_(m.bias, 0.1)


def fill_all(net, v):
    for p in net.parameters():
        nn.init.constant_(p, v)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return x + self.fc(self.norm1(x))


class Transformer(nn.Module):
    def __init__(self, dim=4, depth=2):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(depth)])
        self.head = nn.Linear(dim, 2)
        self.init_weights()

    def init_weights(self):
        named_apply(by_name, self)

    def forward(self, x):
        return self.head(self.blocks(x))


class Part(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)

    def init_weights(self):
        self.apply(plain)

    def forward(self, x):
        return self.fc(x)


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Part(2)
        self.c = nn.ModuleList([Part(2) for _ in range(2)])
        self.a.init_weights()
        self.reset()
        for m in self.children():
            m.apply(plain)

    def reset(self):
        for m in self.c:
            m.init_weights()

    def init_all(self):
        for m in self.c:
            m.init_weights()

    def forward(self, x):
        x = self.a(x)
        for c in self.c:
            x = c(x)
        return x


class Base(nn.Module):
    def init_weights(self):
        self.apply(plain)

    def refill(self):
        fill_all(self, 0.4)


class One(Base):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.init_weights()

    def forward(self, x):
        return self.fc(x)


class Two(Base):
    def __init__(self):
        super().__init__()
        self.a = One()
        self.b = nn.Linear(2, 3)
        self.refill()

    def forward(self, x):
        return self.b(self.a(x))


net = Transformer()
x = torch.sin(torch.arange(12, dtype=torch.float32)).reshape(3, 4)
print(net(x).sum().item(), net.blocks[1].fc.weight.sum().item(), net.head.weight.sum().item())
x = torch.sin(torch.arange(6, dtype=torch.float32)).reshape(3, 2)
parts = Parts()
print(parts(x).sum().item())
parts.init_all()
print(parts(x).sum().item())
part = Part(2)
part.init_weights()
print(part(x).sum().item())
print(One()(x).sum().item(), Two()(x).sum().item())
