"""Parts of a model that its methods and other functions choose, and that are changed, shared or frozen."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.last = nn.Linear(3, 2)

    def layer_at(self, i):
        return self.layers[i]

    def later(self, i):
        layer = self.layers[i]
        return layer

    def chosen(self, first=True):
        if first:
            return self.fc
        return self.last

    def both(self):
        return self.fc, self.last

    def named(self, name):
        return getattr(self, name)

    def scale(self, name):
        part = self.named(name)  # T2J303
        part.weight.data.mul_(2)

    def forward(self, x):
        x = self.fc(x)
        for layer in self.layers:
            x = layer(x)
        return self.last(x)


def outer(net):
    return net.fc


def by_index(x):
    net = Net()
    part = net.layer_at(1)  # T2J303
    part.weight.data.mul_(2)
    return net(x)


def by_name(x):
    net = Net()
    part = net.later(0)  # T2J303
    part.weight.data.mul_(2)
    return net(x)


def by_choice(x):
    net = Net()
    part = net.chosen(False)  # T2J303
    part.weight.data.mul_(2)
    return net(x)


def by_function(x):
    net = Net()
    part = outer(net)  # T2J303
    with torch.no_grad():
        part.weight.mul_(2)
    return net(x)


def several(x):
    net = Net()
    a, b = net.both()  # T2J303
    a.weight.data.mul_(2)
    return net(x), b(x)


def asked_by_name(x, name):
    net = Net()
    part = getattr(net, name)  # T2J303
    part.weight.data.mul_(2)
    return net(x)


def given_by_name(x, name):
    net = Net()
    part = net.named(name)  # T2J303
    part.weight.data.mul_(2)
    return net(x)


def asked_by_function(net, name):
    return getattr(net, name)


def given_by_name_outside(x, name):
    net = Net()
    part = asked_by_function(net, name)  # T2J303
    part.weight.data.mul_(2)
    return net(x)


def first(x):
    net = Net()
    part = next(net.children())  # T2J303
    part.weight.data.mul_(2)
    return net(x)


def named(x):
    net = Net()
    part = dict(net.named_children())["fc"]  # T2J303
    part.weight.data.mul_(2)  # T2J303
    return net(x)


def held(x):
    net = Net()
    other = nn.Sequential(net.layer_at(0), nn.Tanh())  # T2J303
    net.layers[0].weight.data.mul_(2)
    return net(x), other(x)


def frozen(x):
    net = Net()
    part = net.layer_at(0)
    for p in part.parameters():
        p.requires_grad = False  # T2J502
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        net(x).pow(2).mean().backward()
        optimizer.step()
    return net
