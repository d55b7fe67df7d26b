# also: nnx, linen
"""A part of the loss that `forward` sums up in a field, with methods of its own; it begins with 0 each time."""

import math

import torch
import torch.nn as nn


class Ladder(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.encoders = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        self.decoder = nn.Linear(sizes[-1], sizes[0])
        self.divergence = 0
        self.penalty = 0

    def _density(self, z, mean):
        return -0.5 * math.log(2 * math.pi) - (z - mean) ** 2 / 2

    def _kld(self, z, mean):
        return torch.sum(self._density(z, mean) - self._density(z, torch.zeros_like(mean)), dim=-1)

    def forward(self, x):
        self.divergence = 0
        for i, encoder in enumerate(self.encoders):
            mean = encoder(x)
            x = torch.tanh(mean)
            if i == 0:
                self.divergence += self._kld(x, mean)
            else:
                self.divergence += 2 * self._kld(x, mean)
        self.penalty = x.abs().mean()
        self.penalty += 0.5 * self._kld(x, x * 2).mean()
        return self.decoder(x)


torch.manual_seed(0)
model = Ladder([3, 4, 2])
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
x = torch.arange(12.0).view(4, 3) / 10
for i in range(4):
    y = model(x)
    loss = ((y - x) ** 2).sum(-1) + 0.1 * model.divergence
    loss = loss.mean() + model.penalty
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), model.divergence.sum().item())


class Meter:
    def __init__(self):
        self.total = torch.zeros(2)

    def norm(self):
        return (self.total * 2).sum()

    def renew(self, x):
        self.total = x + 1
        return self.total * 2

    def add(self, x):
        self.total = torch.zeros(2)
        before = self.norm()
        self.total += x
        twice = self.renew(x)
        self.total += x
        return before, twice, self.total


print(*Meter().add(torch.ones(2)))
