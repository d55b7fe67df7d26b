# also: nnx
"""Layers that are given parameters of which a flag says whether they are trained."""

import torch
from torch import nn


class Emb(nn.Module):
    def __init__(self, n, trained=False):
        super().__init__()
        self.layer = nn.Linear(n, n)
        self.layer.weight = nn.Parameter(torch.eye(n), requires_grad=trained)
        self.layer.bias = nn.Parameter(torch.zeros(n), False)
        self.other = nn.Linear(n, 1)
        self.other.weight = nn.Parameter(torch.ones(1, n))

    def forward(self, x):
        return self.other(self.layer(x))


for trained in (True, False):
    net = Emb(3, trained)
    with torch.no_grad():
        net.other.bias.fill_(0.5)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.arange(6.0).reshape(2, 3) / 3
    for _ in range(2):
        opt.zero_grad()
        loss = (net(x) ** 2).mean()
        loss.backward()
        opt.step()
        print(loss.item())
    print(net.layer.weight.sum().item(), net.layer.bias.sum().item(), net.other.weight.sum().item())
