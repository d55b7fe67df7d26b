# also: nnx, linen
"""Parts of models whose gradients are recorded if a value says so: optimizers leave them alone where they are not."""

from contextlib import nullcontext

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.last = nn.Linear(4, 2)
        for number, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (number + 1))

    def forward(self, x, recording):
        context = nullcontext if recording else torch.no_grad
        with context():
            h = self.first(x)
        return self.last(h)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.last = nn.Linear(4, 2)
        for number, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (number + 1))

    def forward(self, x):
        return self.last(self.first(x))


def decayed(recording):
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.5)
    for _ in range(3):
        optimizer.zero_grad()
        loss = net(torch.ones(2, 3), recording).pow(2).mean()
        loss.backward()
        optimizer.step()
    return [round(p.sum().item(), 4) for p in net.parameters()]


def by_turns():
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    for number in range(5):
        optimizer.zero_grad()
        loss = net(torch.ones(2, 3), number % 2 == 0).pow(2).mean()
        loss.backward()
        optimizer.step()
    return [round(p.sum().item(), 4) for p in net.parameters()]


def outside():
    net = Plain()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1, weight_decay=0.1)
    for number in range(5):
        optimizer.zero_grad()
        recording = number % 2 == 0
        with torch.set_grad_enabled(recording):
            h = net.first(torch.ones(2, 3))
        loss = net.last(h).pow(2).mean()
        loss.backward()
        optimizer.step()
    return [round(p.sum().item(), 4) for p in net.parameters()]


def phases():
    net = Plain()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    seen = []
    for phase in ("train", "test", "train"):
        optimizer.zero_grad()
        with torch.set_grad_enabled(phase == "train"):
            out = net(torch.ones(2, 3))
            loss = (out - 2).pow(2).mean()
            if phase == "train":
                loss.backward()
                optimizer.step()
        seen.append(round(loss.item(), 4))
    return seen


print(decayed(True), decayed(False))
print(by_turns())
print(outside())
print(phases())
