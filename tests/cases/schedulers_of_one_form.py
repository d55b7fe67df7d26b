# Schedulers of two classes that are one in the translation, and a test that tells them apart.
import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, StepLR


def get(optimizer, steps):
    if steps:
        return StepLR(optimizer, 2, 0.1)  # T2J507
    return ExponentialLR(optimizer, 0.9)  # T2J507


def train(x, steps):
    net = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scheduler = get(optimizer, steps)
    for _ in range(3):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
        if isinstance(scheduler, StepLR):
            scheduler.step()  # T2J203
