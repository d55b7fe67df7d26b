"""One function trains a model that keeps running statistics and models that keep none."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(torch.tanh(self.norm(self.first(x))))


def train(model, opt, x, y=None):
    for _ in range(3):
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{loss.item():.3f}")


def classes(x, y):
    net, plain = Normed(), Plain()
    fill(net)
    fill(plain)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    plain_optimizer = torch.optim.Adam(plain.parameters(), lr=0.05)
    for _ in range(2):
        train(plain, plain_optimizer, x, y)
        train(net, optimizer, x=x, y=y)
    print(f"{plain(x).sum().item():.3f} {net(x).sum().item():.3f}")


def nested(x, y):
    bare = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    fill(bare)
    bare_optimizer = torch.optim.SGD(bare.parameters(), lr=0.1)

    def again():
        train(bare, bare_optimizer, x, y)

    again()
    again()
    print(f"{bare(x).sum().item():.3f}")


inputs = torch.linspace(-1, 1, 12).view(4, 3) ** 3
labels = torch.tensor([0, 1, 0, 1])
classes(inputs, labels)
nested(inputs, labels)
