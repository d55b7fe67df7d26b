# also: nnx, linen
import torch
import torch.nn as nn
from collections import OrderedDict


class Basic(nn.Module):
    expansion = 1

    def __init__(self, a, b, stride=1, option="B"):
        super().__init__()
        self.conv1 = nn.Conv2d(a, b, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(b)
        self.shortcut = nn.Sequential()
        if stride != 1 or a != b:
            self.shortcut = nn.Sequential(nn.Conv2d(a, b, 1, stride, bias=False), nn.BatchNorm2d(b))

    def forward(self, x):
        return torch.relu(self.bn1(self.conv1(x)) + self.shortcut(x))


class Named(nn.Module):
    def __init__(self, width, deep):
        super().__init__()
        self.act = nn.ReLU()
        self.net = nn.Identity()
        self.head = nn.Linear(width, 2)
        if deep:
            self.net = nn.Sequential(OrderedDict([("a", nn.Linear(width, width)), ("b", nn.Tanh())]))
        if deep == 2:
            self.head = nn.Linear(width, 3, bias=False)
            self.act = nn.Tanh()

    def forward(self, x):
        return self.head(self.act(self.net(x)))


class Listed(nn.Module):
    def __init__(self, width, more):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)])
        if more:
            self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.arange(p.numel()).reshape(p.shape).float().mul(0.1 + i).sin())


net = nn.Sequential(Basic(3, 4, 2), Basic(4, 4))
fill(net)
print(net(torch.arange(2 * 3 * 16.0).reshape(2, 3, 4, 4).sin()).sum().item())
for deep in (0, 1, 2):
    net = Named(3, deep)
    fill(net)
    print([(n, tuple(p.shape)) for n, p in net.named_parameters()], net(torch.ones(2, 3)).sum().item())
for more in (False, True):
    net = Listed(3, more)
    fill(net)
    print(list(net.state_dict().keys()), net(torch.ones(2, 3)).sum().item())
