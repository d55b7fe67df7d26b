# results that are kept on the way through layers in place, in ways that cannot be followed
import torch.nn as nn


def layers():
    return nn.Sequential(nn.Conv1d(2, 2, 1), nn.ReLU(inplace=True), nn.Conv1d(2, 2, 1), nn.ReLU(inplace=True))


class Alias(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers()

    def forward(self, x):
        kept = None
        for i, layer in enumerate(self.layers):
            x = layer(x)  # T2J301
            if i == 0:
                kept = x
        return kept, x


class View(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers()

    def forward(self, x):
        outs = []
        for i, layer in enumerate(self.layers):
            x = layer(x)  # T2J301
            if i == 0:
                outs.append(x.flatten(1))
        return outs


class Reshaped(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers()

    def forward(self, x):
        outs = []
        for layer in self.layers:
            x = layer(x)  # T2J303
            outs.append(x)
            x = x.view(x.shape)
        return outs


class HandedOn(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(2, 2, 1), nn.Identity(), nn.ReLU(inplace=True))

    def forward(self, x):
        outs = []
        for layer in self.layers:
            x = layer(x)  # T2J301
            outs.append(x)
        return outs


class Perhaps(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(2, 2, 1), nn.ReLU(inplace=inplace))

    def forward(self, x):
        outs = []
        for layer in self.layers:
            x = layer(x)  # T2J301
            outs.append(x)
        return outs


class Given(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers()

    def forward(self, x, outs: list):
        for layer in self.layers:
            x = layer(x)  # T2J301
            outs.append(x)
        return outs


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers()

    def forward(self, x):
        outs = []
        self_outs = outs
        for layer in self.layers:
            x = layer(x)  # T2J301
            outs.append(x)
        return outs, self_outs


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers()

    def forward(self, x):
        outs = []
        for i, layer in enumerate(self.layers):
            x = layer(x)  # T2J301
            i += 1
            if i in (1, 3):
                outs.append(x)
        return outs
