# also: nnx, linen
"""Lists and dicts of modules gain sequences of what a helper makes, among it layers with state."""

import torch
import torch.nn as nn


class Appended(nn.Module):
    def __init__(self, count):
        super().__init__()

        def block(width, normalize=True):
            layers = [nn.Linear(width, width)]
            if normalize:
                layers.append(nn.BatchNorm1d(width))
            layers.append(nn.LeakyReLU(0.2))
            return layers

        self.nets = nn.ModuleList()
        for _ in range(count):
            self.nets.append(nn.Sequential(*block(4), *block(4, normalize=False)))

    def forward(self, x):
        for net in self.nets:
            x = net(x)
        return x


class Stored(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.branches = nn.ModuleDict()
        for name in names:
            self.branches[name] = nn.Sequential(*self.block(4), nn.Linear(4, 4))

    def block(self, width):
        return [nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU()]

    def forward(self, x):
        return sum(branch(x) for branch in self.branches.values())


def fill(net):
    for p in net.parameters():
        nn.init.constant_(p, 0.3)


def main():
    x = torch.arange(24.0).reshape(6, 4).sin()
    appended = Appended(2)
    fill(appended)
    print(appended(x).sum().item(), appended(x * 2).sum().item())
    appended.eval()
    print(appended(x).sum().item())
    stored = Stored(["a", "b"])
    fill(stored)
    print(stored(x).sum().item(), stored(x * 2).sum().item())
    stored.eval()
    print(stored(x).sum().item())


main()
