# also: nnx
"""Layers are given parameters that are not trained: `layer.weight = nn.Parameter(table, requires_grad=False)`."""

import math

import torch
from torch import nn


class FixedEmbedding(nn.Module):
    def __init__(self, size, width):
        super().__init__()
        w = torch.zeros(size, width).float()
        position = torch.arange(0, size).float().unsqueeze(1)
        scale = (torch.arange(0, width, 2).float() * -(math.log(10000.0) / width)).exp()
        w[:, 0::2] = torch.sin(position * scale)
        w[:, 1::2] = torch.cos(position * scale)
        self.emb = nn.Embedding(size, width)
        self.emb.weight = nn.Parameter(w, requires_grad=False)

    def forward(self, x):
        return self.emb(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hour = FixedEmbedding(5, 4)
        self.scale = nn.Linear(4, 4, bias=False)
        self.scale.weight = nn.Parameter(torch.eye(4) * 2, False)
        self.out = nn.Linear(4, 1)
        with torch.no_grad():
            self.out.weight.fill_(0.3)
            self.out.bias.fill_(0.1)

    def forward(self, x):
        return self.out(self.scale(self.hour(x)))


net = Net()
print(sum(p.numel() for p in net.parameters()), sum(p.numel() for p in net.parameters() if p.requires_grad))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.tensor([1, 2, 3])).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.hour.emb.weight.sum().item(), net.scale.weight.sum().item())
