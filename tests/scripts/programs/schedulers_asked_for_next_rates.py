# also: nnx, linen
"""Schedulers are asked for the rates that they would set next."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import lr_scheduler

x = torch.linspace(-1, 1, 24).view(6, 4)
y = torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)


def make():
    net = nn.Linear(4, 2)
    nn.init.constant_(net.weight, 0.1)
    nn.init.constant_(net.bias, 0.2)
    return net


def run(kind):
    net = make()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scheduler = lr_scheduler.MultiStepLR(optimizer, milestones=[2, 4], gamma=0.1)
    for epoch in range(6):
        loss = F.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(kind, epoch, loss.item(), "lr: {:.6f}".format(scheduler.get_lr()[0]))


for kind in ("multi",):
    run(kind)

