"""Losses that are added up in a dictionary under names that the program computes, and lists whose rows change one another."""

import torch
from einops import pack, unpack
from torch import nn


class Term(nn.Module):
    def __init__(self, name, scale):
        super().__init__()
        self.name = name
        self.scale = scale

    def forward(self, x):
        return (x * self.scale).sum(0)


class Encoder(nn.Module):
    def __init__(self, linear):
        super().__init__()
        self.layers = nn.Sequential(nn.LayerNorm(4), linear, nn.LayerNorm(4))


class Tail(nn.Module):
    """Layers of another network, of which the first is left out."""

    def __init__(self, encoder):
        super().__init__()
        self.rest = nn.Sequential(*encoder.layers[1:])

    def forward(self, x):
        y = self.rest(x)
        y += 0.5
        return (y * x).sum()


def gathered(x):
    losses = dict()
    for part in [Term("a", 1.0), Term("b", 2.0), Term("a", 3.0)]:
        if part.name not in losses:
            losses[part.name] = part(x)
        else:
            losses[part.name] += part(x)
    for name in losses:
        losses[name] *= 2
    for name in losses.keys():
        losses[name] += 1
    return losses


def rows(x):
    found = [x * k for k in (1, 2, 3)]
    for i in range(3):
        found[i] *= 2
        for j in range(i):
            found[j] += found[i]
    return found


def pack_one(t, pattern):
    return pack([t], pattern)


def packed(x):
    tokens, shape = pack_one(x, "b * d")
    tokens += 1
    (back,) = unpack(tokens, shape, "b * d")
    return back


x = torch.linspace(-2, 2, 12).view(3, 4)
for name, value in gathered(x).items():
    print(name, value.sum().item(), (value * value).sum().item())
for row in rows(x):
    print((row * row).sum().item())
image = torch.linspace(-1, 1, 24).view(2, 2, 3, 2)
print((packed(image) ** 2).sum().item(), (image**2).sum().item())
linear = nn.Linear(4, 4)
with torch.no_grad():
    linear.weight.copy_(torch.linspace(-1, 1, 16).view(4, 4))
    linear.bias.copy_(torch.linspace(-1, 1, 4))
print(Tail(Encoder(linear))(x).item(), x.sum().item())
