# also: nnx, linen
"""Functions give back lambdas that draw, or make layers: where these are called, there are keys."""

import torch
from torch import nn


def get_sampler(mean):
    return lambda m, n: torch.rand(m, n) * 0 + mean


def get_noise(noisy):
    if noisy:
        return lambda x: x + torch.randn_like(x) * 0
    return lambda x: x * 2


def get_maker(n):
    return lambda m: nn.Linear(n, m)


class Net(nn.Module):
    def __init__(self, make, noise):
        super().__init__()
        self.first = make(4)
        self.noise = noise

    def forward(self, x):
        return self.first(self.noise(x))


def total(sampler, rows):
    return [sampler(row, 2).sum().item() for row in rows]


def train(noisy):
    torch.manual_seed(0)
    sampler = get_sampler(2)
    net = Net(get_maker(3), get_noise(noisy))
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        optimizer.zero_grad()
        x = sampler(2, 3)
        loss = (net(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 5))
    print(total(sampler, [1, 2]))


train(True)
train(False)
