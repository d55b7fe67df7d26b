# also: nnx, linen
"""Layers and functions that are asked of torch by names, where an error is raised for names that it does not have."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-2, 2, 12).reshape(3, 4)


def get_activation(name):
    if hasattr(nn, name):
        return getattr(nn, name)()
    raise ValueError(f"unknown activation {name}")


def get_function(name):
    if not hasattr(F, name):
        raise ValueError(name)
    return getattr(F, name)


class Block(nn.Module):
    def __init__(self, act="ReLU", final="tanh"):
        super().__init__()
        assert hasattr(torch, final), final
        self.final = getattr(torch, final)
        if hasattr(nn, act):
            self.act = getattr(nn, act)()
        else:
            raise NotImplementedError(act)

    def forward(self, x):
        return self.final(self.act(x))


def show(y):
    print([round(v, 4) for v in y.flatten().tolist()])


show(get_activation("SiLU")(x))
show(get_activation("Tanh")(x))
show(get_function("elu")(x))
show(get_function("softplus")(x))
show(Block()(x))
show(Block("ELU", "sigmoid")(x))
try:
    get_activation("Nothing")
except ValueError as error:
    print(error)
