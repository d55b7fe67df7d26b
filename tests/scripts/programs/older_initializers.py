# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.init as init
from torch.nn.init import constant, normal as draw
from torch.nn.init import constant_ as fill


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 2)
        self.norm = nn.BatchNorm1d(2)
        self.w = nn.Parameter(torch.empty(2, 2))
        self.start()

    def start(self):
        init.constant(self.w, 0.5)
        nn.init.constant(self.a.bias.data, 2.0)
        for m in self.modules():
            if isinstance(m, nn.BatchNorm1d):
                init.constant(m.weight.data, 3.0)
                fill(m.bias.data, 0.125)

    def forward(self, x):
        return self.norm(self.b(self.a(x))) @ self.w


def by_module(m):
    if isinstance(m, nn.Linear):
        init.xavier_normal(m.weight.data)
        init.constant(m.weight, 0.5)


def by_name(m):
    if m.__class__.__name__.find("Linear") != -1:
        constant(m.weight.data, 0.25)
        draw(m.bias.data, 1.0, 1e-6)


def with_attribute(m):
    if hasattr(m, "weight") and m.weight.dim() > 1:
        nn.init.constant(m.weight.data, 0.75)


def under_a_name(m):
    if isinstance(m, nn.Linear):
        fill(m.weight, 0.375)


def chosen(kind):
    def start(m):
        name = m.__class__.__name__
        if name.find("Linear") == 0 and hasattr(m, "weight"):
            if kind == "eye":
                init.eye(m.weight.data)
            elif kind == "constant":
                init.constant(m.weight.data, 0.0625)
            if hasattr(m, "bias") and m.bias is not None:
                init.constant(m.bias.data, 0.0)

    return start


torch.manual_seed(0)
net = Net()
print(net.w.sum().item(), net.a.bias.sum().item(), net.norm.weight.sum().item(), net.norm.bias.sum().item())
net.apply(by_module)
print(net.a.weight.sum().item(), net.b.weight.sum().item())
net.apply(by_name)
print(net.a.weight.sum().item(), net.b.bias.sum().item())
net.apply(with_attribute)
print(net.a.weight.sum().item())
net.apply(under_a_name)
print(net.a.weight.sum().item())
net.apply(chosen("constant"))
print(net.a.weight.sum().item(), net.b.bias.sum().item())
net.apply(chosen("eye"))
print(net.a.weight.sum().item())
layer = nn.Linear(2, 2)
constant(layer.weight, 1.5)
init.constant(layer.bias.data, -1.0)
print(layer(torch.ones(1, 2)).tolist())
x = torch.ones(3)
init.constant(x, 7)
print(x.tolist())
