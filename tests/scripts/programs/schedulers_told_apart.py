"""Schedulers of several classes, of which tests tell which they are: kept in objects, given by functions."""

import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR, ReduceLROnPlateau, StepLR


class Trainer:
    def __init__(self, model, kind):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        if kind == "plateau":
            self.scheduler = ReduceLROnPlateau(self.optimizer, patience=0, factor=0.5)
        elif kind == "step":
            self.scheduler = StepLR(self.optimizer, 2, 0.1)
        else:
            self.scheduler = None

    def fit(self, x, y):
        for epoch in range(4):
            self.optimizer.zero_grad()
            loss = (self.model(x) - y).pow(2).mean()
            loss.backward()
            self.optimizer.step()
            if self.scheduler is not None:
                if isinstance(self.scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
                    self.scheduler.step(1.0)
                else:
                    self.scheduler.step()
            print(loss.item(), self.optimizer.param_groups[0]["lr"])


def make():
    model = nn.Linear(3, 2)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
    return model


def get(optimizer, kind):
    if kind == "cosine":
        return CosineAnnealingLR(optimizer, T_max=4)
    if kind == "step":
        return StepLR(optimizer, 2, 0.1)
    return ReduceLROnPlateau(optimizer, patience=0, factor=0.5)


def run(x, y, kind):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = get(optimizer, kind)
    print(isinstance(scheduler, (ReduceLROnPlateau, lr_scheduler.LRScheduler)), isinstance(scheduler, OneCycleLR))
    for epoch in range(4):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        scheduler.step(2.0) if isinstance(scheduler, ReduceLROnPlateau) else scheduler.step()
        print(loss.item(), optimizer.param_groups[0]["lr"])


x = torch.linspace(-1, 1, 12).view(4, 3)
y = torch.linspace(0, 1, 8).view(4, 2)
for kind in ("plateau", "step", "none"):
    Trainer(make(), kind).fit(x, y)
for kind in ("cosine", "step", "plateau"):
    run(x, y, kind)
