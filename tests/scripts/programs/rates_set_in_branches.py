"""The learning rate of the one group, set by a helper in a branch."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def update(model, optimizer):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def get_lr(optimizer):
    for group in optimizer.param_groups:
        return group["lr"]


def halve(optimizer, floor):
    for i, group in enumerate(optimizer.param_groups):
        old = float(group["lr"])
        new = max(old * 0.5, floor)
        if old - new > 1e-8:
            group["lr"] = new
            print("group", i, new)


def by_hand():
    model = make()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.4)
    for epoch in range(5):
        print(update(model, optimizer), get_lr(optimizer))
        halve(optimizer, 0.06)


by_hand()
