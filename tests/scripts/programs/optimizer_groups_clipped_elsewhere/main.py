# also: nnx, linen
"""Gradients that a helper of another file clips, group by group of an optimizer."""

import torch
import torch.nn as nn
import util

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)


def train(net, optimizer, max_grad_norm):
    for step in range(4):
        x = torch.linspace(-1, 1, 6).view(2, 3) * (step + 1)
        optimizer.zero_grad()
        loss = (net(x) - 1).pow(2).sum()
        loss.backward()
        util.clip_grad_norm(optimizer, max_grad_norm)
        optimizer.step()
        print(loss.item())


train(net, optimizer, 0.1)
