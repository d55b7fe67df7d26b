# flagged: T2J603, also: nnx
"""Modules whose own `train` keeps parts of them in evaluation, whoever calls it."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


class Net(nn.Module):
    def __init__(self, frozen=True):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.first = nn.BatchNorm1d(4)
        self.second = nn.BatchNorm1d(4)
        self.frozen = frozen

    def train(self, mode=True):
        super().train(mode)
        if self.frozen:
            self.first.eval()
        return self

    def forward(self, x):
        return self.second(self.first(self.fc(x)))


class Rested(Net):
    def train(self, mode: bool = True):
        return super().train(False)


class Always(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def train(self, mode=True):
        return super().train(False)

    def forward(self, x):
        return self.drop(x)


class Still(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(1 - 1e-7)

    def train(self, mode=True):
        return self

    def forward(self, x):
        return self.drop(x)


x = torch.sin(torch.arange(24.0)).view(8, 3)


def run(net: Net):
    fill(net)
    net.train()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        loss = (net(x) - x[:, :1]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    print(net.first.running_mean.sum().item(), net.second.running_mean.sum().item())
    net.eval()
    print(net(x).sum().item())


run(Net())
run(Net(frozen=False))
run(Rested())
always = Always()
always.train()
print(always(x).sum().item())
still = Still()
still.eval()
print(still(x).sum().item())
