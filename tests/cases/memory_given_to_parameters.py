"""Tensors whose memory a parameter has got, and that are read behind a change of the parameter."""

import torch
import torch.nn as nn


def by_data(w):
    net = nn.Linear(3, 2)
    net.weight.data = w  # T2J303
    with torch.no_grad():
        net.weight.mul_(2)
    return net, w.sum()


def by_parameter():
    net = nn.Linear(3, 2)
    w = torch.full((2, 3), 0.5)
    net.weight = nn.Parameter(w)  # T2J303
    net.weight.data.mul_(2)
    return net, w.sum()


def not_read():
    net = nn.Linear(3, 2)
    w = torch.full((2, 3), 0.5)
    net.weight.data = w
    net.weight.data.mul_(2)
    w = torch.ones(2)
    return net, w.sum()
