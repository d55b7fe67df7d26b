# also: nnx
"""Models whose class a text names that the program evaluates."""

import argparse

import torch
import torch.nn as nn


class Small(nn.Module):
    def __init__(self, n=3, classes=2):
        super().__init__()
        self.fc = nn.Linear(n, classes)

    def forward(self, x):
        return self.fc(x).relu()


class Normed(nn.Module):
    def __init__(self, n=3, classes=2):
        super().__init__()
        self.bn = nn.BatchNorm1d(n)
        self.fc = nn.Linear(n, classes)

    def forward(self, x):
        return self.fc(self.bn(x))


parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="Small")
parser.add_argument("--lr", default="1e-1")
args = parser.parse_args([])
net = eval(args.arch)(classes=3)
lr = eval(args.lr)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (0.3 + 0.05 * i))
x = torch.linspace(-1, 1, 12).reshape(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=lr)
for _ in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
