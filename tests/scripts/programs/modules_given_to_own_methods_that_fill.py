# also: nnx, linen
import math

import torch
import torch.nn as nn


def fill(m, value, bias=0.5):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, value)
        if m.bias is not None:
            m.bias.data.fill_(bias)


def named(name, m):
    if name == 'out' and isinstance(m, nn.Linear):
        m.weight.data.mul_(2)


class Config:
    def __init__(self):
        self.std = 0.02


class Base(nn.Module):
    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            module.weight.data.copy_(torch.arange(module.weight.numel()).view_as(module.weight) * self.config.std * 10 * self.scale)
            if module.bias is not None:
                module.bias.data.zero_()
        elif isinstance(module, nn.LayerNorm):
            self._norm(module, bias=0.3)

    @staticmethod
    def _norm(norm, bias):
        norm.weight.data.fill_(2.0)
        nn.init.constant_(norm.bias, bias)

    def init_all(self):
        for m in self.modules():
            self._init_weights(m)


class Net(Base):
    def __init__(self, a, b):
        super().__init__()
        self.config = Config()
        self.scale = 1.5
        self.fc = nn.Linear(a, b)
        self.norm = nn.LayerNorm(b)
        self.out = nn.Linear(b, 2)
        self.init_all()
        for name, child in self.named_children():
            named(name, child)

    def forward(self, x):
        return self.out(self.norm(self.fc(x)))


class Other(Base):
    def __init__(self, a):
        super(Other, self).__init__()
        self.config = Config()
        self.scale = 3
        self.layers = nn.ModuleList([nn.Linear(a, a, bias=False) for _ in range(2)])
        self.norm = nn.LayerNorm(a)
        for m in self.modules():
            self._init_weights(m)
        for m in self.children():
            fill(m, 0.5)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)


class Third(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.a = nn.Linear(a, a)
        self.b = nn.Sequential(nn.Linear(a, 2), nn.Tanh())
        self.gain = 0.25
        for m in self.modules():
            if isinstance(m, nn.Linear):
                self.fill(m, self.gain)
        for m in self.b.modules():
            fill(m, 0.125, bias=1)

    def fill(self, m, gain=1.0):
        m.weight.data.fill_(gain)
        m.bias.data.fill_(-gain)

    def forward(self, x):
        return self.b(self.a(x))


x = torch.arange(6.0).view(2, 3)
print(Net(3, 2)(x).tolist())
print(Other(3)(x).tolist())
print(Third(3)(x).tolist())
