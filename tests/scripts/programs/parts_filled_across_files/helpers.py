from torch import nn


def zero_module(module):
    """Zero out the parameters of a module and return it."""
    for p in module.parameters():
        p.detach().zero_()
    return module


def scaled(layer, std=1.0):
    nn.init.constant_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer
