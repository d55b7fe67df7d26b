# also: nnx, linen
import math

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        self.note(f"{y.max():.2f}")
        return y

    def note(self, text):
        NOTES.append(text)


class Checked(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.n = n

    def forward(self, x):
        if x.shape[1] != self.n:
            raise ValueError(f"{x.max():.2f} of {x.shape[1]}")
        return self.fc(x)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        scale = y.max().item()
        return y * scale


class Number(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        n = int(y.abs().max() * 3) + 1
        for _ in range(n):
            y = y * 0.9
        return y / float(y.std())


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        NOTES.append("{:.1f}".format(y.mean()))
        total = math.sqrt(y.square().sum()) + sum(y[0].tolist())
        return y * min(total, float(y.abs().max()))


NOTES = []


def described(y):
    return "%.2f %s" % (y.mean(), "mean")


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)


def train(net):
    fill(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.linspace(0, 1, 6).reshape(2, 3)
    for _ in range(2):
        optimizer.zero_grad()
        y = net(x)
        text = described(y)
        loss = y.square().mean()
        loss.backward()
        optimizer.step()
        print(loss.item(), text)


train(Net())
train(Checked(3))
train(Scaled())
train(Number())
train(Listed())
print(NOTES)
