"""Parts of modules that are changed under names that cannot be replaced: what holds them would keep the old ones."""

import torch
from torch import nn


class Chosen(nn.Module):
    def __init__(self, deep):
        super().__init__()
        last = nn.Linear(2, 2)
        if deep:
            self.net = nn.Sequential(nn.Tanh(), last)  # T2J303
        else:
            self.net = nn.Sequential(last)  # T2J303
        nn.init.constant_(last.weight, 0.25)

    def forward(self, x):
        return self.net(x)


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        shared = nn.Linear(2, 2)
        self.a = nn.Sequential(shared, nn.Tanh())
        self.b = nn.Sequential(nn.Tanh(), shared)  # T2J604
        nn.init.constant_(shared.weight, 0.5)

    def forward(self, x):
        return self.a(x) + self.b(x)


class Grown(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
        layer = self.layers[-1]  # T2J303
        self.layers.append(nn.Linear(2, 2))
        nn.init.constant_(layer.weight, 0.5)  # T2J303

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Swapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)
        head = self.head  # T2J303
        self.exchange()
        nn.init.constant_(head.weight, 0.5)  # T2J303

    def exchange(self):
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(x)
