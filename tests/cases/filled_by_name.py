import torch
from torch import nn


def fill(network, values, kind="data"):
    for param in network.parameters():
        getattr(param, kind).copy_(torch.tensor(values).view_as(param.data))  # T2J302


net = nn.Linear(2, 1)
fill(net, [0.5, 0.25])
