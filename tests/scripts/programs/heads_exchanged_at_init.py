# also: nnx, linen
"""Parts of a backbone that __init__ has made get others in their places: another head, and none."""

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


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.backbone.fc = nn.Identity()
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


class Head(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.backbone = Backbone()
        self.backbone.fc = nn.Linear(self.backbone.fc.in_features, classes)
        self.backbone.tail[2] = nn.Sequential(nn.Linear(5, 3), nn.Tanh())

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


train(Plain())
train(Head(3))
