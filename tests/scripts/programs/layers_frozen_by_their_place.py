# also: nnx
"""Layers of a list or a sequence that are frozen, or trained again, by their place: `model.blocks[-1]`, `model.blocks[:2]`."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, d)
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        return x + torch.tanh(self.lin(self.norm(x)))


class Net(nn.Module):
    def __init__(self, d, n, frozen_layers):
        super().__init__()
        self.stem = nn.Linear(d, d)
        self.layers = nn.ModuleList([Block(d) for _ in range(n)])
        self.head = nn.Linear(d, 2)
        if frozen_layers > 0:
            for layer in self.layers[:frozen_layers]:
                for p in layer.parameters():
                    p.requires_grad = False

    def forward(self, x):
        x = self.stem(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).view_as(p) * 0.3)


def run(model):
    opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1, momentum=0.9)
    x = torch.arange(12.0).view(3, 4) / 12
    y = torch.tensor([0, 1, 1])
    for step in range(3):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    print([p.sum().item() for p in model.parameters()])


a = Net(4, 3, 2)
fill(a)
run(a)

b = Net(4, 3, 0)
fill(b)
for p in b.parameters():
    p.requires_grad = False
for layer in b.layers[-2:]:
    for p in layer.parameters():
        p.requires_grad = True
for p in b.head.parameters():
    p.requires_grad_(True)
run(b)

c = Net(4, 3, 0)
fill(c)
for i, layer in enumerate(c.layers):
    if i < 2:
        for p in layer.parameters():
            p.requires_grad = False
run(c)

d = Net(4, 3, 0)
fill(d)
for layer in d.layers:
    layer.requires_grad_(False)
d.layers[1].norm.requires_grad_(True)
run(d)
