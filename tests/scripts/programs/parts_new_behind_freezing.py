# also: nnx
"""Parts that a module gets in `__init__` behind what froze it are trained."""

import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(3, 4)
        self.seq = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
        self.fc = nn.Linear(4, 10)

    def forward(self, x):
        return self.fc(self.seq(torch.tanh(self.stem(x))))


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        for p in self.backbone.parameters():
            p.requires_grad = False
        self.backbone.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.backbone(x)


class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.backbone.requires_grad_(False)
        self.backbone.fc = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
        self.backbone.seq[0] = nn.Linear(4, 4)

    def forward(self, x):
        return self.backbone(x)


class C(Backbone):
    def __init__(self):
        super().__init__()
        for p in self.parameters():
            p.requires_grad = False
        self.fc = nn.Linear(4, 2)


class E(nn.Module):
    def __init__(self, tune):
        super().__init__()
        backbone = Backbone()
        if not tune:
            for p in backbone.parameters():
                p.requires_grad = False
        backbone.fc = nn.Linear(4, 2)
        self.backbone = backbone

    def forward(self, x):
        return self.backbone(x)


net = Backbone()
for p in net.parameters():
    p.requires_grad = False
net.fc = nn.Linear(4, 2)


def make():
    m = Backbone()
    for p in m.parameters():
        p.requires_grad = False
    m.fc = nn.Linear(4, 2)
    return m


for m in (A(), B(), C(), E(False), E(True), net, make()):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()) * 0.7 + i).view_as(p))
    opt = torch.optim.SGD([p for p in m.parameters() if p.requires_grad], lr=0.1)
    for _ in range(2):
        loss = m(torch.ones(2, 3)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(round(loss.item(), 5), sum(p.requires_grad for p in m.parameters()), [round(p.sum().item(), 4) for p in m.parameters()])
