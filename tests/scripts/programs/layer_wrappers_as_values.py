# also: nnx, linen
"""Norms of weights that are chosen, looked up, given to other modules and returned by functions."""

from functools import partial

import torch
import torch.nn as nn
from torch.nn.utils import spectral_norm, weight_norm

NORMS = {"spectral": spectral_norm, "weight": weight_norm, "none": nn.Identity()}


def get_norm(name):
    if name == "spectral":
        return torch.nn.utils.spectral_norm
    elif name == "weight":
        return torch.nn.utils.weight_norm
    return lambda layer: layer


class Discriminator(nn.Module):
    def __init__(self, use_spectral_norm=False):
        super().__init__()
        norm_f = weight_norm if use_spectral_norm == False else spectral_norm
        self.convs = nn.ModuleList(
            [
                norm_f(nn.Conv1d(1, 4, 3, 1, padding=1)),
                norm_f(nn.Conv1d(4, 4, 3, 1, padding=1)),
            ]
        )
        self.conv_post = norm_f(nn.Conv1d(4, 1, 3, 1, padding=1))

    def forward(self, x):
        fmap = []
        for layer in self.convs:
            x = torch.tanh(layer(x))
            fmap.append(x)
        x = self.conv_post(x)
        fmap.append(x)
        return torch.flatten(x, 1, -1), fmap


class Looked(nn.Module):
    def __init__(self, name):
        super().__init__()
        norm = NORMS[name]
        self.fc = norm(nn.Linear(8, 8))

    def forward(self, x):
        return self.fc(x)


class Asked(nn.Module):
    def __init__(self, name):
        super().__init__()
        norm = get_norm(name)
        self.net = nn.Sequential(norm(nn.Linear(8, 8)), nn.ReLU(), norm(nn.Linear(8, 2)))

    def forward(self, x):
        return self.net(x)


class Block(nn.Module):
    def __init__(self, width, norm=weight_norm):
        super().__init__()
        self.fc = norm(nn.Linear(width, width))

    def forward(self, x):
        return x + self.fc(x)


class Given(nn.Module):
    def __init__(self, use_sn=True):
        super().__init__()
        self.norm = spectral_norm if use_sn else (lambda x: x)
        self.blocks = nn.ModuleList([Block(8, self.norm), Block(8)])
        more = partial(spectral_norm, n_power_iterations=2) if use_sn else nn.Identity()
        self.last = more(nn.Linear(8, 1))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.last(x)


def fill(net):
    for number, p in enumerate(net.parameters()):
        nn.init.constant_(p, 0.1 + 0.01 * number)


def main():
    x = torch.arange(16.0).reshape(2, 1, 8).sin()
    for use_spectral_norm in (False, True):
        net = Discriminator(use_spectral_norm)
        fill(net)
        net.eval()
        score, fmap = net(x)
        print(use_spectral_norm, tuple(score.shape), len(fmap))
        if not use_spectral_norm:
            print(round(score.sum().item(), 3))
    for name in ("weight", "none"):
        looked, asked = Looked(name), Asked(name)
        fill(looked)
        fill(asked)
        print(name, round(looked(x).sum().item(), 3), round(asked(x).sum().item(), 3))
    print(tuple(Looked("spectral")(x).shape), tuple(Asked("spectral")(x).shape))
    plain = Given(use_sn=False)
    fill(plain)
    print(round(plain(x).sum().item(), 2), sorted(dict(plain.named_parameters())))
    print(tuple(Given()(x).shape), sorted(dict(Given().named_parameters())))
    one = nn.utils.spectral_norm(nn.Linear(8, 1))
    fill(one)
    for _ in range(20):
        scores = one(x)
    print(round(scores.sum().item(), 3))


main()
