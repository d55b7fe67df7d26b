# also: nnx, linen
"""Copies of parts that __init__ makes start with the values of what they are copies of: layers of transformers, target networks."""

import copy
import torch
from torch import nn


def clones(module, n):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(n)])


class Attention(nn.Module):
    def __init__(self, h, d):
        super().__init__()
        self.h = h
        self.linears = clones(nn.Linear(d, d), 3)

    def forward(self, x):
        q, k, v = [l(x) for l in self.linears]
        return torch.softmax(q @ k.transpose(-2, -1) / self.h, -1) @ v


class Layer(nn.Module):
    def __init__(self, size, attn, dropout):
        super().__init__()
        self.attn = attn
        self.norms = clones(nn.LayerNorm(size), 2)
        self.drop = nn.Dropout(dropout)
        self.size = size

    def forward(self, x):
        x = x + self.drop(self.attn(self.norms[0](x)))
        return self.norms[1](x)


class Encoder(nn.Module):
    def __init__(self, layer, n):
        super().__init__()
        self.layers = clones(layer, n)
        self.norm = nn.LayerNorm(layer.size)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)


def make(n=2, d=4, h=2):
    c = copy.deepcopy
    attn = Attention(h, d)
    model = Encoder(Layer(d, c(attn), 0.0), n)
    return model


def same(a, b):
    return all((p - q).abs().max().item() == 0 for p, q in zip(a.parameters(), b.parameters()))


torch.manual_seed(0)
net = make()
print(len(list(net.parameters())), sum(p.numel() for p in net.parameters()))
print(same(net.layers[0], net.layers[1]), same(net.layers[0].attn.linears[0], net.layers[1].attn.linears[2]))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
x = torch.linspace(-1, 1, 24).view(2, 3, 4)
opt = torch.optim.Adam(net.parameters(), lr=0.05, weight_decay=0.1)
for _ in range(3):
    loss = net(x).pow(2).mean() + net(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(same(net.layers[0], net.layers[1]), sorted(net.state_dict())[:3], len(net.state_dict()))


class Momentum(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(3, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 2))
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad = False

    def forward(self, x):
        with torch.no_grad():
            y = self.target(x)
        return (self.online(x + 1) - y).pow(2).mean()


model = Momentum(4)
print(same(model.online, model.target))
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
x = torch.linspace(-1, 1, 12).view(4, 3)
for _ in range(3):
    loss = model(x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, q in zip(model.online.parameters(), model.target.parameters()):
            q.data.mul_(0.5).add_(p.data, alpha=0.5)
    print(loss.item(), model.target[1].running_mean.sum().item())
