# also: nnx
"""Loops over the parameters of a ParameterList or ParameterDict, which give each its first values."""

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.embeds = nn.ParameterList()
        for width in widths:
            self.embeds.append(nn.Parameter(torch.zeros(1, 4, width)))
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(width)) for width in widths])
        self.named = nn.ParameterDict({"a": nn.Parameter(torch.zeros(3)), "b": nn.Parameter(torch.zeros(3))})
        for embed in self.embeds:
            nn.init.trunc_normal_(embed, std=0.02)
        for i, embed in enumerate(self.embeds):
            nn.init.constant_(embed, 0.1 * (i + 1))
        for embed, scale in zip(self.embeds, self.scales):
            scale.data.mul_(2)
            embed.data[:, 0] = 7.0
        for name, value in self.named.items():
            nn.init.constant_(value, len(name))

    def forward(self, xs):
        parts = [(x + embed) * scale for x, embed, scale in zip(xs, self.embeds, self.scales)]
        return [part.sum() for part in parts] + [self.named["a"].sum(), self.named["b"].sum()]


net = Positions([8, 4])
for value in net([torch.ones(2, 4, 8), torch.ones(2, 4, 4)]):
    print(round(value.item(), 4))
