"""Plain lists in fields that change after a container has been made of them, or whose container changes: the two would part."""

import torch.nn as nn


class Growing(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(3, 3), nn.Linear(3, 3)]  # T2J601
        self.body = nn.Sequential(*self.layers)  # T2J604

    def grow(self):
        self.layers.append(nn.Linear(3, 3))  # T2J606

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Exchanged(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(3, 3), nn.Linear(3, 3)]  # T2J601
        self.trunk = nn.Sequential(*self.parts)  # T2J604

    def shorten(self):
        self.trunk[0] = nn.Identity()  # T2J606

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x
