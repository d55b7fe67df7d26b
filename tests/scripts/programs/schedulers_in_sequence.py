"""Schedulers that run one after the other: made above, in the list, in an object, and stepped behind updates or epochs."""

import json

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Linear(3, 2)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def train(model, optimizer):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


warmup_epochs = 2
model = make()
optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
warmup = LinearLR(optimizer, start_factor=0.1, total_iters=warmup_epochs)
cosine = CosineAnnealingLR(optimizer, T_max=5, eta_min=0.01)
scheduler = SequentialLR(optimizer, schedulers=[warmup, cosine], milestones=[warmup_epochs])
for epoch in range(8):
    print(train(model, optimizer), optimizer.param_groups[0]["lr"])
    scheduler.step()


def inline(steps):
    model = make()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scheduler = SequentialLR(
        optimizer,
        [LinearLR(optimizer, 0.2, total_iters=3), lr_scheduler.ExponentialLR(optimizer, 0.8)],
        milestones=[steps // 2],
    )
    for epoch in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(loss.item())


inline(9)


class Trainer:
    def __init__(self, model, warmup=3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        first = LinearLR(self.optimizer, total_iters=warmup)
        middle = lr_scheduler.ConstantLR(self.optimizer, 1.0, 1)
        last = lr_scheduler.StepLR(self.optimizer, 2, gamma=0.5)
        self.scheduler = SequentialLR(self.optimizer, [first, middle, last], [warmup, warmup + 2])

    def epoch(self):
        losses = [train(self.model, self.optimizer) for _ in range(2)]
        self.scheduler.step()
        return losses


trainer = Trainer(make())
for epoch in range(10):
    print(trainer.epoch(), trainer.scheduler.get_last_lr())


def by_settings(settings):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
    warmup = LinearLR(optimizer, start_factor=0.1, total_iters=2)
    cosine = CosineAnnealingLR(optimizer, T_max=5, eta_min=0.01)
    scheduler = SequentialLR(optimizer, [warmup, cosine], [settings["warmup"]])
    for epoch in range(6):
        print(train(model, optimizer), optimizer.param_groups[0]["lr"])
        scheduler.step()


by_settings(json.loads('{"warmup": 3}'))
by_settings(json.loads('{"warmup": 2.0}'))
