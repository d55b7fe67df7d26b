"""Layers with some of their arguments, called with others: what stands for an activation takes none."""

from functools import partial

import torch.nn as nn


class Gate(nn.Module):
    def __init__(self, gate=partial(nn.LeakyReLU, inplace=False), slope=0.3):
        super().__init__()
        self.gate = gate(slope)  # T2J205
        self.drop = partial(nn.Dropout, 0.1)()  # T2J205

    def forward(self, x):
        return self.gate(x)
