"""Lists of layers whose first one may change what the caller holds, or that are not gone through from the beginning."""

import torch.nn as nn


class Begins(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = nn.ModuleList()
        for k in range(count):
            if k % 2:
                self.layers.append(nn.Linear(3, 3))
            self.layers += [nn.ReLU(inplace=True)]

    def forward(self, x):
        y = x
        for layer in self.layers:
            y = layer(y)  # T2J301
        return y + x


class Put(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(count):
            self.layers.extend([nn.Linear(3, 3), nn.ReLU(inplace=True)])
        self.layers.insert(0, nn.ReLU(inplace=True))

    def forward(self, x):
        y = x
        for i in range(len(self.layers)):
            y = self.layers[i](y)  # T2J301
        return y + x


class Later(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(count):
            self.layers.extend([nn.Linear(3, 3), nn.ReLU(inplace=True)])

    def forward(self, x):
        y = x
        for i in range(1, len(self.layers)):
            y = self.layers[i](y)  # T2J301
        return y + x


class Again(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.ReLU(inplace=True)])

    def forward(self, x):
        y = x
        for layer in self.layers:
            y = layer(y)  # T2J301
            y = x
        return y + x


class Kept(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.layers = nn.ModuleList()
        for width in widths:
            self.layers.append(nn.Linear(3, width))
            self.layers.append(nn.ReLU(inplace=True))

    def forward(self, x):
        kept = []
        for layer in self.layers:
            x = layer(x)  # T2J301
            kept.append(x)
        return kept
