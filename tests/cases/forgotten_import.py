"""A helper whose file names torch and imports only parts of it, as it is copied from program to program."""

import torch.nn as nn
import torch.nn.init as init


def mean_of(loader, count):
    mean = torch.zeros(3)  # noqa: F821
    for inputs, _ in loader:
        for i in range(3):
            mean[i] += inputs[:, i].mean()
    mean.div_(count)
    return mean


def start(net):
    for m in net.modules():
        if isinstance(m, nn.Linear):
            init.constant_(m.weight, 1)
