# also: nnx
"""A part that is of one of several classes, each of which loads weights by a method of its own."""

import os
import tempfile

import torch
from torch import nn
from nets import A, B, make_b

SAVED = os.path.join(tempfile.mkdtemp(), "weights.pth")


class Baseline(nn.Module):
    def __init__(self, name, path):
        super().__init__()
        if name == "a":
            self.base = A()
        elif name == "b":
            self.base = B()
        elif name == "c":
            self.base = make_b(3)
        if path:
            self.base.load_param(path)
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.base(x))


def pick(name):
    if name == "a":
        return A()
    return B()


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.5)


other_b = B()
fill(other_b)
torch.save(other_b.state_dict(), SAVED)
for name in ("b", "c"):
    net = Baseline(name, SAVED)
    fill(net)
    print(net(torch.arange(6.0).reshape(2, 3)).sum().item())


def pick(name):
    if name == "a":
        return A()
    return B()


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.5)


net = Baseline("a", "")
torch.save(net.base.state_dict(), SAVED)
net = Baseline("a", SAVED)
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
print(net(torch.arange(6.0).reshape(2, 3)).sum().item())
with torch.no_grad():
    net.base.fc.weight.fill_(0.25)
torch.save(net.base.state_dict(), SAVED)


for name in ("a", "b"):
    if name == "a":
        model = A()
    else:
        model = B()
    fill(model)
    model.load_param(SAVED)
    print(model(torch.arange(6.0).reshape(2, 3)).sum().item())
    other = pick(name)
    fill(other)
    other.load_param(SAVED)
    print(other(torch.arange(6.0).reshape(2, 3)).sum().item(), other.fc.weight.sum().item())
