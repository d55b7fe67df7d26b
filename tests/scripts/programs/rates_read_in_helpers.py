# also: nnx, linen
"""The learning rate of the one group, read by helpers and in displays beside a scheduler."""

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


def with_scheduler():
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    for epoch in range(5):
        print(
            update(model, optimizer),
            get_lr(optimizer),
            optimizer.param_groups[-1]["lr"],
            max(g["lr"] for g in optimizer.param_groups),
        )
        scheduler.step()


with_scheduler()
