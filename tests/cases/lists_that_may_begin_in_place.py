# ways of filling lists of layers by which an activation in place may come first
import torch.nn as nn


class Taken(nn.Module):
    def __init__(self, n):
        super().__init__()
        layers = [nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Linear(2, 2)]
        for _ in range(n):
            layers.append(nn.Linear(2, 2))
        layers.pop(0)
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x) + x  # T2J302


class Cut(nn.Module):
    def __init__(self, n):
        super().__init__()
        layers = [nn.Linear(2, 2), nn.ReLU(inplace=True)]
        for _ in range(n):
            layers = layers[1:]
            layers.append(nn.Linear(2, 2))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x) + x  # T2J302


class Caught(nn.Module):
    def __init__(self, n, make):
        super().__init__()
        layers = []
        for _ in range(n):
            try:
                layers.insert(0, nn.ReLU(inplace=True))
                layers.insert(0, make())
            except ValueError:
                layers.append(nn.Linear(2, 2))
                continue
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x) + x  # T2J302


class Left(nn.Module):
    def __init__(self, n):
        super().__init__()
        layers = [nn.Linear(2, 2)]
        while n:
            n -= 1
            layers[0] = nn.ReLU(inplace=True)
            if n == 2:
                break
            layers = [nn.Linear(2, 2)]
        layers += [nn.Linear(2, 2) for _ in range(n)]
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x) + x  # T2J302


class Shared(nn.Module):
    def __init__(self, n):
        super().__init__()

        def begin():
            layers.insert(0, nn.ReLU(inplace=True))

        layers = [nn.Linear(2, 2)]
        for _ in range(n):
            begin()
            layers.append(nn.Linear(2, 2))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x) + x  # T2J302


class Given(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.layers = nn.Sequential(*base)

    def forward(self, x):
        return self.layers(x) + x  # T2J302


def make(n):
    layers = [nn.ReLU(inplace=True)] if n else []
    layers.append(nn.Linear(2, 2))
    return layers, n


def build(n):
    layers, count = make(n)
    return Given(layers), Given([nn.Linear(2, 2)]), count
