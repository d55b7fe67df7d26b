"""Modules with state that are made where a function is given them."""

import torch
import torch.nn as nn


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(self.inner(x))


def filled(model, value=0.5):
    for p in model.parameters():
        p.data.fill_(value)
    return model


def case_of_the_same_name(x):
    net = filled(Normed())
    y = net(x)
    net.eval()
    return y, net(x)


def case_with_another_argument(x):
    net = filled(Normed(), value=0.25)
    return net(x), net.norm.running_mean


def case_without_state(x):
    return filled(nn.Linear(3, 4), 0.1)(x)


class Holder:
    def __init__(self):
        self.net = filled(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), 0.2)

    def run(self, x):
        return self.net(x)


def case_in_an_object(x):
    return Holder().run(x)
