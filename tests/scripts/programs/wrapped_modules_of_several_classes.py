# also: linen
"""A module that passes on what it is given to one of several classes, with state and without."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


def run(model, x, y, lr=0.1, steps=3):
    fill(model)
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for _ in range(steps):
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        print(round(loss.item(), 5))
    model.eval()
    with torch.no_grad():
        print(model(x).sum().item())


class Wrapped(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, *args, **kwargs):
        return self.net(*args, **kwargs)


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 2)
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.bn(self.fc(x))


class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 2)

    def forward(self, x):
        return self.fc(x)


def build(name):
    return {"a": A, "b": B}[name]()


for name in ["a", "b"]:
    run(Wrapped(build(name)), torch.sin(torch.arange(24.0)).view(4, 6), torch.cos(torch.arange(8.0)).view(4, 2))
run(Wrapped(Wrapped(A())), torch.sin(torch.arange(24.0)).view(4, 6), torch.cos(torch.arange(8.0)).view(4, 2))
