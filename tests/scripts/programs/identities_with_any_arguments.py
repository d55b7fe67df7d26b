# also: nnx, linen
"""Layers that ignore their arguments are given any, also as a dictionary of keywords."""

import torch
import torch.nn as nn


class Activation(nn.Module):
    def __init__(self, name, **params):
        super().__init__()
        if name is None or name == "identity":
            self.activation = nn.Identity(**params)
        elif name == "sigmoid":
            self.activation = nn.Sigmoid()
        elif name == "softmax":
            self.activation = nn.Softmax(**params)
        elif callable(name):
            self.activation = name(**params)
        else:
            raise ValueError(f"got {name}")

    def forward(self, x):
        return self.activation(x)


class Attention(nn.Module):
    def __init__(self, name, **params):
        super().__init__()
        if name is None:
            self.attention = nn.Identity(**params)
        else:
            self.attention = nn.Linear(**params)

    def forward(self, x):
        return self.attention(x)


print(Activation("identity", dim=1)(torch.ones(2)).tolist(), Activation(None)(torch.ones(2)).tolist())
print(Activation("softmax", dim=0)(torch.ones(2)).tolist(), Attention(None, in_channels=3)(torch.ones(2)).tolist())
print(Attention("line", in_features=2, out_features=3)(torch.ones(2)).shape[0])


def make(kind, *args, **kwargs):
    return nn.Identity(*args, **kwargs) if kind == "none" else nn.Dropout(*args, **kwargs)


print(make("none", 0.5, 3)(torch.ones(2)).tolist(), make("drop", p=0.0)(torch.ones(2)).tolist())
