"""A part that is given to two layers, of which one is kept beside its copies: these two share it."""

import copy

from torch import nn


class FeedForward(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


class Layer(nn.Module):
    def __init__(self, feed_forward):
        super().__init__()
        self.feed_forward = feed_forward

    def forward(self, x):
        return x + self.feed_forward(x)


class Stack(nn.Module):
    def __init__(self, layer, number):
        super().__init__()
        self.layers = nn.ModuleList([layer] + [copy.deepcopy(layer) for _ in range(number - 1)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        feed_forward = FeedForward(n)
        first = Layer(feed_forward)
        second = Layer(feed_forward)  # T2J604
        self.first = Stack(first, 2)
        self.second = Stack(second, 2)

    def forward(self, x):
        return self.second(self.first(x))


class Reused(nn.Module):
    def __init__(self, n):
        super().__init__()
        feed_forward = FeedForward(n)
        pattern = Layer(feed_forward)
        self.layers = nn.ModuleList([copy.deepcopy(pattern) for _ in range(2)])
        self.last = Layer(feed_forward)  # T2J303 T2J604
        nn.init.zeros_(feed_forward.fc.weight)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.last(x)
