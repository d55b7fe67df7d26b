# also: nnx, linen
"""Modules that keep arrays of NumPy, on which their forward pass computes with NumPy."""

import numpy as np
import torch
import torch.nn as nn


def trend(thetas, t):
    T = torch.tensor(np.array([t**i for i in range(thetas.size()[-1])])).float()
    return thetas.mm(T)


def space(n):
    return np.arange(0, n) / n


class Basis(nn.Module):
    def __init__(self, n, k):
        super().__init__()
        self.grid = space(n)
        self.order = np.arange(n)[::-1].copy()
        self.sizes = np.array([n, k])
        self.trend = nn.Linear(n, k)
        self.season = nn.Linear(n, k)

    def forward(self, x):
        waves = np.stack([np.cos(2 * np.pi * i * self.grid) for i in range(int(self.sizes[1]))])
        seasons = self.season(x[:, self.order]).mm(torch.from_numpy(waves).float())
        return trend(self.trend(x), self.grid) + seasons


def main():
    net = Basis(6, 3)
    for n, p in enumerate(net.parameters()):
        p.data.copy_(torch.sin(torch.arange(p.numel()).float() + n).view(p.shape))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.cos(torch.arange(12.0)).view(2, 6)
    for step in range(3):
        loss = (net(x) - x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    print(net(x).sum().item())


main()
