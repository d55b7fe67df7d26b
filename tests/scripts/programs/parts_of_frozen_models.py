# also: nnx
"""Models that constructors freeze before they put parts of them into fields, which go on frozen."""

import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 1)
        self.bn1 = nn.BatchNorm2d(4)
        self.layers = nn.Sequential(nn.Conv2d(4, 4, 1), nn.ReLU(), nn.Conv2d(4, 4, 1))
        self.fc = nn.Linear(4, 4)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.05 * scale * (i + 1))

    def forward(self, x):
        return self.fc(self.layers(self.bn1(self.conv1(x))).mean((2, 3)))


def start(head):
    nn.init.constant_(head.weight, 0.3)
    nn.init.constant_(head.bias, 0.1)
    return head


class Cut(nn.Module):
    def __init__(self):
        super().__init__()
        resnet = Base()
        for p in resnet.parameters():
            p.requires_grad = False
        modules = list(resnet.children())[:-1]
        self.body = nn.Sequential(*modules)
        self.head = start(nn.Linear(4, 2))

    def forward(self, x):
        return self.head(self.body(x).mean((2, 3)))


class Taken(nn.Module):
    def __init__(self, freeze):
        super().__init__()
        resnet = Base()
        if freeze:
            resnet.requires_grad_(False)
        self.conv, self.norm = resnet.conv1, resnet.bn1
        self.slice = nn.Sequential()
        for i in range(2):
            self.slice.add_module(str(i), resnet.layers[i])
        del resnet
        self.head = start(nn.Linear(4, 2))

    def forward(self, x):
        return self.head(self.slice(self.norm(self.conv(x))).mean((2, 3)))


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        base = Base(0.5)
        base.fc = start(nn.Linear(base.fc.in_features, 3))
        for p in base.parameters():
            p.requires_grad = False
        self.base = base
        self.head = start(nn.Linear(3, 2))

    def forward(self, x):
        return self.head(self.base(x))


def train(net):
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.05, weight_decay=0.1)
    x = torch.arange(48.0).reshape(1, 3, 4, 4) / 10
    batch = torch.cat([x, x.cos(), x.sin()])
    for _ in range(3):
        optimizer.zero_grad()
        loss = net(batch).pow(2).sum()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 3))
    print(round(sum(p.sum().item() for p in net.parameters()), 3))
    print(sorted(name for name, p in net.named_parameters() if p.requires_grad))


train(Cut())
train(Taken(True))
train(Taken(False))
train(Whole())
