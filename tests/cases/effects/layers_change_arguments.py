"""Layers with `inplace=True` change what they are given, for all who look at it afterwards; also first in a Sequential."""

import functools

import torch
import torch.nn as nn
import torch.nn.functional as F


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(True)
        self.fc = nn.Linear(3, 3)
        for p in self.parameters():
            p.data.fill_(0.25)

    def forward(self, x):
        h = x * 2
        return self.fc(self.act(h)) + h


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.LeakyReLU(0.2, True)
        self.drop = nn.Dropout(0.0, True)

    def forward(self, x):
        outs = []
        h = x * 2
        outs.append(h)
        h = self.act(h)
        outs.append(h)
        h = self.drop(h) + 1
        outs.append(h)
        return outs


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU6(inplace=True)

    def forward(self, x, flag=True):
        h = x * 8
        view = h[0]
        if flag:
            y = self.act(h)
        else:
            y = h + 1
        return y + 1, view, h


class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Dropout(0.0), nn.ReLU(inplace=True), nn.Linear(3, 3))

    def forward(self, x):
        h = x * 2
        return h + self.net(h)  # T2J302


class Last(nn.Module):
    def __init__(self):
        super().__init__()
        layers = []
        for width in (3, 3):
            layers.append(nn.Linear(width, 3))
            layers.append(nn.ReLU(True))
        self.net = nn.Sequential(*layers)
        for p in self.parameters():
            p.data.fill_(0.25)

    def forward(self, x):
        h = x * 2
        return h + self.net(h)


class FirstOfSome(nn.Module):
    def __init__(self, norm=False):
        super().__init__()
        layers = []
        for width in (3, 3):
            if norm:
                layers.append(nn.LayerNorm(width))
            layers += [nn.ReLU(True), nn.Linear(width, 3)]
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        h = x * 2
        return h + self.net(h)  # T2J302


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True), nn.Linear(3, 3))

    def forward(self, x):
        found = []
        for layer in self.layers:
            x = layer(x)
            found.append(x)
        return found


def case_residual(x: torch.Tensor):
    return Residual()(x)


def case_steps(x: torch.Tensor):
    return Steps()(x)


def case_branches(x: torch.Tensor):
    return Branches()(x), Branches()(x, False)


def case_last(x: torch.Tensor):
    return Last()(x)


def case_alias(x: torch.Tensor):
    act = nn.ReLU(True)
    h = x * 2
    kept = h
    y = act(h)
    return y, kept


def case_twice(x: torch.Tensor):
    act = nn.LeakyReLU(0.5, True)
    h = x * 2
    y = act(act(h))
    return y + h


def case_statement(x: torch.Tensor):
    act = nn.ReLU(True)
    h = x * 2
    act(h)
    return h


def case_changed_later(x: torch.Tensor):
    act = nn.ReLU(True)
    h = x * 2
    y = act(h)
    y += 1
    return y, h


def case_loop(x: torch.Tensor):
    act = nn.LeakyReLU(0.5, True)
    h = x * 1
    total = 0
    for _ in range(3):
        total = total + act(h)
    return total, h


def case_view(x: torch.Tensor):
    act = nn.ReLU(True)
    h = x * 2
    y = act(h[:2])
    return y, h


def case_no_grad(x: torch.Tensor):
    act = nn.ReLU(True)
    h = x * 2
    with torch.no_grad():
        y = act(h)
    return y, h


def case_functions(x: torch.Tensor):
    h = x * 2
    y = F.leaky_relu(h, 0.2, True)
    k = x * 3
    z = F.relu(k, True) + k
    return y, h, z


def case_given_false(x: torch.Tensor):
    act = nn.ReLU(False)
    h = x * 2
    return act(h) + h + F.relu(h, False)


def case_read_before(x: torch.Tensor):
    act = nn.ReLU(True)
    h = x * 2
    return (h * 3) + act(h)


def case_read_between(x: torch.Tensor):
    act = nn.ReLU(True)
    h = x * 2
    return (h * 3) + act(h) + h  # T2J302


def case_argument(x: torch.Tensor):
    h = x * 2
    return helped(h), h


def helped(h):
    act = nn.ReLU(True)
    return act(h) + 1


def case_columns(x: torch.Tensor):
    act = nn.ReLU(True)
    h = x * 2
    y = act(h[:, 0])
    z = act(h.t())
    return y, z, h


class Doubled(nn.Module):
    def forward(self, x):
        x.mul_(2)
        return x + 1


class Activated(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(x) * 2


class ActivatedFirst(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(x) * 2  # T2J300


class OfClasses(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 3), Doubled(), Activated(), Doubled())
        for p in self.parameters():
            p.data.fill_(0.25)

    def forward(self, x):
        h = x * 2
        return self.net(h) + h


class OfClassesFirst(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Identity(), ActivatedFirst(), nn.Linear(3, 3))

    def forward(self, x):
        h = x * 2
        h = self.net(h) + h
        return h


class Chosen(nn.Module):
    def __init__(self, act_layer=nn.ReLU):
        super().__init__()
        self.act = act_layer(inplace=True)

    def forward(self, x):
        h = x * 2
        y = self.act(h)  # T2J302
        return y + h


def case_of_classes(x: torch.Tensor):
    return OfClasses()(x)


def case_rebound_beside(x: torch.Tensor):
    h = x * 2
    h = scaled(h) + h
    return h


def scaled(h):
    act = nn.ReLU(True)
    return act(h) * 2


class Partial(nn.Module):
    def __init__(self, act_layer=functools.partial(nn.LeakyReLU, 0.2, True)):
        super().__init__()
        self.act = act_layer()

    def forward(self, x):
        h = x * 2
        y = self.act(h)  # T2J302
        return y + h
