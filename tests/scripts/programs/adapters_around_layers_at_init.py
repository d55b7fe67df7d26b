# flagged: T2J502, T2J604, also: nnx, linen
"""Adapters that __init__ puts around layers of a backbone that it has made."""

import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, width=4, classes=10):
        super().__init__()
        self.stem = nn.Linear(3, width)
        self.norm = nn.BatchNorm1d(width)
        self.fc = nn.Linear(width, classes)
        self.tail = nn.Sequential(nn.Linear(classes, 5), nn.ReLU(), nn.Linear(5, 5))

    def features(self, x):
        return torch.tanh(self.norm(self.stem(x)))

    def forward(self, x):
        return self.fc(self.features(x))


class Adapter(nn.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = base
        self.down = nn.Linear(base.in_features, rank, bias=False)
        self.up = nn.Linear(rank, base.out_features, bias=False)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x))


class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        for p in self.backbone.parameters():
            p.requires_grad = False
        self.backbone.fc = Adapter(self.backbone.fc, 2)

    def forward(self, x):
        return self.backbone(x)


def train(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
    opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    x = torch.linspace(-1, 1, 12).view(4, 3)
    for _ in range(3):
        loss = (net(x) - 0.5).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    print([(n, p.numel()) for n, p in net.named_parameters()])
    print(net.backbone.stem.weight.sum().item(), sorted(net.state_dict())[:4])


train(Adapted())
