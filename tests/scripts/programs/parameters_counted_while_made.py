# also: nnx
"""Parameters are counted in `__init__`, in methods of base classes and in functions that take any module: buffers are none."""

import torch
import torch.nn as nn


def count(model):
    return sum(p.numel() for p in model.parameters())


class Base(nn.Module):
    def size(self):
        return sum(p.numel() for p in self.parameters() if p.requires_grad)

    def norm(self):
        return sum(p.abs().sum() for p in self.parameters())


class Net(Base):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("scale", torch.ones(width))
        self.fc = nn.Linear(4, width)
        self.n_params = sum(p.numel() for p in self.parameters())
        print("made:", self.n_params, self.size(), count(self))

    def forward(self, x):
        return self.fc(x) * self.scale


class Normed(Base):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv1d(3, width, 3)
        self.bn = nn.BatchNorm1d(width)
        self.fc = nn.Linear(width, 2)
        for p in self.parameters():
            nn.init.constant_(p, 0.5)
        self.n_params = sum(p.numel() for p in self.parameters())
        print("made:", self.n_params, self.size(), count(self), sum(p.sum().item() for p in self.parameters()))

    def forward(self, x):
        return self.fc(self.bn(self.conv(x)).mean(2))


class Counts:
    def __init__(self, model):
        self.total = sum(p.numel() for p in model.parameters())


net = Net(5)
print(net.n_params, net.size(), count(net), Counts(net).total)
normed = Normed(6)
print(normed.n_params, normed.size(), count(normed), Counts(normed).total, normed.norm().item())
print(normed(torch.cos(torch.arange(24.0)).view(2, 3, 4)).sum().item())
