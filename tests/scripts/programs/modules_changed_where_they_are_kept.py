# also: nnx
"""Modules that others are given, keep, and change behind that by the name that they came with."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 8)
        self.norm = nn.BatchNorm1d(8)
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(torch.relu(self.norm(self.stem(x))))


class Cut(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        backbone.fc = nn.Identity()
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


class Still(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        backbone.eval()
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


class Filled(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        nn.init.constant_(backbone.fc.bias, 0.3)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


class Halved(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        with torch.no_grad():
            backbone.stem.weight.mul_(0.5)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


class Fixed(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        backbone.requires_grad_(False)
        for m in backbone.modules():
            if isinstance(m, nn.BatchNorm1d):
                m.eval()
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)


def filled():
    backbone = Backbone()
    fill(backbone)
    return backbone


def train(net):
    fill(net.head)
    x = torch.linspace(-1, 1, 24).view(6, 4) ** 2
    y = torch.tensor([0, 1, 1, 0, 1, 0])
    opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    for _ in range(3):
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        print(loss.item())
    print([(n, round(t.float().sum().item(), 2)) for n, t in net.state_dict().items()])


train(Cut(filled()))
train(Still(filled()))
train(Filled(filled()))
train(Halved(filled()))
train(Fixed(filled()))
