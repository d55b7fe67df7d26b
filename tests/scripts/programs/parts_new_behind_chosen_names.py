# also: nnx
"""Parts of a given model that are exchanged behind a choice by names are trained."""

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


class D(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.backbone = model
        for name, p in self.backbone.named_parameters():
            if "stem" in name:
                p.requires_grad_(False)
        self.backbone.stem = nn.Linear(3, 4, bias=False)
        self.backbone.fc = nn.Identity()
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


m = D(Backbone())
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
