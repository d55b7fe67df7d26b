# also: linen
"""Fields that hold a module or a function, or whatever they are given, are called as what they are."""

import torch
from torch import nn


def always(value):
    return lambda *args, **kwargs: value


def quadratic(t):
    return t * t


class Scaled(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return self.fc(x) * 0.1


class Levit(nn.Module):
    def __init__(self, dim, classes=None, pos=True):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.head = nn.Linear(dim, classes) if classes is not None else always(None)
        if pos:
            self.pos = Scaled(dim)
        else:
            self.pos = always(0)
        self.curve = nn.Sequential(nn.Linear(dim, dim), nn.Tanh()) if pos else quadratic

    def forward(self, x):
        x = self.curve(self.norm(x))
        x = x + self.pos(x)
        return x, self.head(x)


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.arange(p.numel()).view(p.shape) * 0.1 + 0.1)


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(2):
        x, logits = model(torch.tensor([[1.0, 2.0], [3.0, 5.0], [4.0, 1.0]]))
        loss = (x**2).mean()
        if logits is not None:
            loss = loss + logits.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


wide = Levit(2, 3)
fill(wide)
train(wide)
plain = Levit(2, pos=False)
fill(plain)
train(plain)
