# also: nnx, linen
"""Loops in `__init__` give parameters of some parts of a model their first values, which training changes."""

import torch
from torch import nn


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.two = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
        with torch.no_grad():
            for p in self.fc.parameters():
                p.copy_(torch.ones_like(p) * 0.5)
        for p in self.two.parameters():
            p.data.fill_(0.25)
        for p in self.fc.parameters():
            nn.init.constant_(p, 0.75)

    def forward(self, x):
        return self.two(self.fc(x))


class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        for p in self.layers.parameters():
            p.data.fill_(0.25)
        for name, p in self.fc.named_parameters():
            if "bias" in name:
                nn.init.constant_(p, 0.1)
            else:
                nn.init.constant_(p, 0.2)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                for p in m.parameters():
                    p.data.mul_(2)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.fc(x)


class C(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.reset()

    def reset(self):
        for p in self.fc.parameters():
            p.data.fill_(0.25)
        for p in self.parameters():
            p.data.fill_(0.5)

    def forward(self, x):
        return self.fc(x)


x = torch.ones(1, 2)
for model in (A(), B(), C()):
    print(model(x).sum().item(), [p.sum().item() for p in model.parameters()])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        loss = model(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item(), [p.sum().item() for p in model.parameters()])
