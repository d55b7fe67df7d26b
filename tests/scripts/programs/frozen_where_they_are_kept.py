# also: nnx
"""Modules that others are given and keep, and freeze behind that, by the name that they came with."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 8)
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        return torch.tanh(self.body(torch.relu(self.stem(x))))


def set_requires_grad_(module, flag):
    for p in module.parameters():
        p.requires_grad = flag


def freeze_all_(module):
    set_requires_grad_(module, False)


class Fixed(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        for p in backbone.parameters():
            p.requires_grad = False
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


class Chosen(nn.Module):
    def __init__(self, backbone, frozen=True):
        super().__init__()
        self.backbone = backbone
        if frozen:
            freeze_all_(backbone)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


class Partly(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        backbone.stem.requires_grad_(False)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)


def train(net):
    fill(net)
    opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.5)
    x = torch.linspace(-1, 1, 24).view(6, 4)
    y = torch.tensor([0, 1, 1, 0, 1, 0])
    for _ in range(4):
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        print(loss.item())
    print(net.backbone.stem.weight.sum().item(), net.backbone.body.bias.sum().item(), net.head.weight.sum().item())
    print(sum(p.numel() for p in net.parameters() if p.requires_grad), sum(p.numel() for p in net.parameters()))
    print([n for n, p in net.named_parameters() if not p.requires_grad])


train(Fixed(Backbone()))
train(Chosen(Backbone()))
train(Partly(Backbone()))
