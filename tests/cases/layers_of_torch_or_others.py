"""Layers that are asked of torch by a name, where another layer takes the place of those that it does not have."""

import torch.nn as nn


def get_activation(name):
    if hasattr(nn, name):  # T2J200
        return getattr(nn, name)()
    return nn.ReLU()


def get_other(name):
    return getattr(nn, name, nn.ReLU)()  # T2J200


print(get_activation("SiLU"), get_activation("Tanh"), get_other("Tanh"), get_other("ELU"))
