# also: nnx, linen
"""The forward pass of a base class calls parts that the modules derived from it make."""

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = None

    def encode(self, x):
        return torch.relu(self.body(x))

    def forward(self, x):
        h = self.encode(x)
        for block in self.blocks:
            h = block(h) + h
        return self.head(h)


class A(Base):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 5), nn.BatchNorm1d(5))
        self.blocks = nn.ModuleList([nn.Linear(5, 5), nn.Linear(5, 5)])
        self.head = nn.Linear(5, 2)


class B(Base):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.0))])
        self.head = nn.Sequential(nn.Linear(3, 2), nn.Tanh())


x = torch.linspace(-1, 1, 24).view(6, 4)
def run(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))
    net.train()
    y = net(x).sum()
    net.eval()
    print(y.item(), net(x).sum().item())


run(A())
run(B())

