import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, dim, scale):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.scale = scale

    def forward(self, x):
        return self.scale(self.fc(x))


class Wave(nn.Module):
    """Without parameters: two of them are the same."""

    def forward(self, x):
        return torch.sin(x)


class InTwo(nn.Module):
    def __init__(self, dim):
        super().__init__()
        scale = nn.Linear(dim, dim)
        self.one = Head(dim, scale)
        self.two = Head(dim, scale)  # T2J604

    def forward(self, x):
        return self.two(self.one(x))


class InOneOrTheOther(nn.Module):
    def __init__(self, dim, first):
        super().__init__()
        scale, wave = nn.Linear(dim, dim), Wave()
        if first:
            self.head = Head(dim, scale)
        else:
            self.head = nn.Sequential(nn.Tanh(), Head(dim, scale))
        self.waves = nn.ModuleList([Head(dim, wave) for _ in range(3)])

    def forward(self, x):
        for wave in self.waves:
            x = wave(x)
        return self.head(x)


class InAll(nn.Module):
    def __init__(self, dim):
        super().__init__()
        norm = nn.LayerNorm(dim)
        self.heads = nn.ModuleList([Head(dim, norm) for _ in range(3)])  # T2J604
        self.own = nn.ModuleList()
        for _ in range(3):
            scale = nn.Linear(dim, dim)
            self.own.append(Head(dim, scale))

    def forward(self, x):
        for head, own in zip(self.heads, self.own):
            x = own(head(x))
        return x


class InItself(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.scale = nn.Linear(dim, dim)
        self.head = Head(dim, self.scale)  # T2J604

    def forward(self, x):
        return self.head(self.scale(x))
