# also: nnx
"""Gradients clipped by the old name, and by the name of the module that has the function."""

import torch
from torch import nn
from torch.nn.utils.clip_grad import clip_grad_norm_


def fill(net):
    for i, p in enumerate(net.parameters()):
        p.data = torch.linspace(-1.0, 1.0, p.numel()).reshape(p.shape) + 0.1 * i


net = nn.Linear(4, 3)
fill(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(8.0).reshape(2, 4) / 3
for step in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    torch.nn.utils.clip_grad_norm(net.parameters(), 1.0)
    optimizer.step()
    print(loss.item())
for step in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    clip_grad_norm_(net.parameters(), 0.5)
    optimizer.step()
    print(loss.item())
