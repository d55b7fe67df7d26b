# also: linen
"""Copies of blocks with state that become parts of one model, each with a state of its own."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


def run(model, x, y, lr=0.1, steps=3):
    fill(model)
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for _ in range(steps):
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        print(round(loss.item(), 5))
    model.eval()
    with torch.no_grad():
        print(model(x).sum().item())


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(6)
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        return self.fc(self.norm(x))


class Net(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.first = block
        self.second = copy.deepcopy(self.first)
        self.rest = nn.ModuleList(copy.deepcopy(block) for _ in range(2))
        self.third = copy.deepcopy(self.rest[0])
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        x = self.third(self.second(self.first(x)))
        for r in self.rest:
            x = r(x)
        return self.head(x)


net = Net(Block())
run(net, torch.sin(torch.arange(24.0)).view(4, 6), torch.cos(torch.arange(8.0)).view(4, 2))
print(net.first.norm.running_mean, net.second.norm.running_mean, net.rest[1].norm.running_var)
