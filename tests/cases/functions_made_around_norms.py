"""Functions that are given back with a part of a model whose state they change: who gave the part has the state before."""

import torch
import torch.nn as nn


def joined(norm, linear):
    def run(*inputs):  # T2J303
        return linear(norm(torch.cat(inputs, 1)))

    return run


class Dense(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.BatchNorm1d(width)
        self.linear = nn.Linear(width, width)

    def forward(self, *inputs):
        run = joined(self.norm, self.linear)
        return run(*inputs)
