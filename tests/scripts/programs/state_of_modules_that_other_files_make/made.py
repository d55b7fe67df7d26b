import torch
from torch import nn


def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-1.0, 2.0, p.numel()).sin().view_as(p) * 0.4)


def filled(m):
    fill(m)
    return m


def normed():
    return filled(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)))
