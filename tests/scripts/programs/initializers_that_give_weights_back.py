# also: nnx, linen
"""Functions that fill weights and give them back, of which some callers take them and others do not."""

import torch
from torch import nn


def linear_init(layer, activation="relu"):
    x = layer.weight
    if activation is None:
        return nn.init.constant_(x, 0.5)
    if activation == "leaky_relu":
        return nn.init.constant_(x, 0.1)
    elif activation == "relu":
        return nn.init.constant_(x, 0.25)
    elif activation in ["sigmoid", "tanh"]:
        return nn.init.constant_(x, 0.3)


def weights_init(module):
    if isinstance(module, torch.nn.modules.conv._ConvNd):
        linear_init(module)
    elif isinstance(module, nn.Linear):
        linear_init(module, "tanh")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(1, 2, 3)
        self.l = nn.Linear(4, 3)
        self.reset_parameters()

    def reset_parameters(self):
        self.apply(weights_init)

    def forward(self, x):
        return self.l(self.c(x).flatten(1)[:, :4])


m = Net()
print(m.c.weight.tolist(), m.l.weight.tolist())


def zero_bias(layer):
    return nn.init.zeros_(layer.bias)


def set_bias(m):
    if isinstance(m, nn.Linear):
        return m.bias.data.fill_(0.5)
    return m.bias.data.fill_(0.25)


b = zero_bias(m.l)
print(m.l.bias.tolist(), b.tolist())
print(m.c.bias.tolist()[:0])
set_bias(m.c)
print(m.c.bias.tolist(), m.l.bias.tolist())
set_bias(m.l)
print(m.l.bias.tolist())
w = m.l
x = w.bias.sum().item()
print(x)
