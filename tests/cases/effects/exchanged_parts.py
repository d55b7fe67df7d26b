"""Parts of a container that are exchanged: what the new part freezes, keeps in buffers or draws is known of the container."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    for p in model.parameters():
        p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape)
    return model


class LowRank(nn.Module):
    def __init__(self, base, rank=2):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad = False
        self.down = nn.Parameter(torch.full((rank, base.in_features), 0.1))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x):
        return self.base(x) + x @ self.down.T @ self.up.T


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("by", torch.ones(4))

    def forward(self, x):
        return x + self.by


def case_frozen_base(x, y):
    net = nn.Sequential(fill(nn.Linear(3, 4)), nn.Tanh(), fill(nn.Linear(4, 3)))
    net[0] = LowRank(net[0])
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    for _ in range(3):
        loss = F.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.detach(), net[2].weight.detach()


def case_buffer(x, y):
    net = nn.Sequential(fill(nn.Linear(3, 4)), nn.Tanh(), fill(nn.Linear(4, 3)))
    net[1] = Shift()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        loss = F.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.detach(), net[2].weight.detach()


def case_dropout(x):
    net = nn.Sequential(fill(nn.Linear(3, 4)), nn.Tanh(), fill(nn.Linear(4, 3)))
    net[1] = nn.Dropout(0.5)
    net.eval()
    return net(x)
