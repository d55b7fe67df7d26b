# also: nnx, linen
"""Layers that keep state on one way and layers that keep none on another."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, width, norm="batch", slope=0.0):
        super().__init__()
        if norm == "batch":
            self.norm = nn.BatchNorm1d(width)
        elif norm == "instance":
            self.norm = nn.InstanceNorm1d(width)
        else:
            self.norm = nn.Identity()
        self.act = nn.LeakyReLU(slope) if slope else nn.Identity()
        self.drop = nn.Dropout(0.5) if slope > 0.5 else nn.Identity()

    def forward(self, x):
        return self.drop(self.act(self.norm(x)))


class Net(nn.Module):
    def __init__(self, width=4, batch_norm=False):
        super().__init__()
        self.first = nn.BatchNorm1d(width) if batch_norm else nn.Identity()
        self.later = nn.ModuleList([nn.BatchNorm1d(width) if batch_norm else nn.Softmax(dim=1) for _ in range(2)])
        self.norms = nn.ModuleDict({"a": nn.BatchNorm1d(width), "b": nn.Identity()})
        self.members = nn.Sequential(nn.BatchNorm1d(width) if batch_norm else nn.Identity(), nn.Tanh())

    def forward(self, x, which="a"):
        x = self.first(x)
        for layer in self.later:
            x = x + layer(x)
        x = self.norms[which](x)
        return self.members(x)


def main():
    x = torch.arange(24.0).reshape(2, 4, 3).sin()
    for norm in ("batch", "instance", "none"):
        block = Block(4, norm, slope=0.1)
        print(norm, block(x).abs().sum().item())
        block.eval()
        print(norm, block(x).abs().sum().item())
    for batch_norm in (True, False):
        net = Net(batch_norm=batch_norm)
        print(batch_norm, net(x).abs().sum().item(), net(x, "b").abs().sum().item())
        net.eval()
        print(batch_norm, net(x).abs().sum().item(), net(x, "b").abs().sum().item())


main()
