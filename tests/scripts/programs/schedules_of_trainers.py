"""Trainers that keep a scheduler beside their optimizer: it steps, and rates are asked for, in other methods and from outside."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Linear(3, 2)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


class Accumulating:
    def __init__(self, model, every=2):
        self.model = model
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=0.1)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, T_max=4)
        self.every = every

    def epoch(self):
        total = 0.0
        self.opt.zero_grad()
        for i in range(4):
            loss = F.cross_entropy(self.model(x[2 * i : 2 * i + 2]), y[2 * i : 2 * i + 2]) / self.every
            loss.backward()
            total += loss.item()
            if (i + 1) % self.every == 0:
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                self.opt.zero_grad()
        self.sched.step()
        return total


class Plain:
    def __init__(self, model, epochs=3):
        self.model, self.epochs = model, epochs
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.4)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 2, gamma=0.5)

    def fit(self):
        for epoch in range(self.epochs):
            loss = self.epoch()
            self.sched.step()
            print(epoch, loss, self.opt.param_groups[0]["lr"])

    def epoch(self):
        loss = F.cross_entropy(self.model(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


class Noting:
    def __init__(self, model, opt_state=None):
        self.opt_state = opt_state
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.5)

    def step(self):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def rate(trainer):
    return trainer.scheduler.get_last_lr()[0]


trainer = Accumulating(make())
for epoch in range(3):
    print(epoch, trainer.epoch(), trainer.sched.get_last_lr()[0])
Plain(make()).fit()
noting = Noting(make())
for epoch in range(3):
    print(noting.step(), noting.scheduler.get_last_lr(), rate(noting))
    noting.scheduler.step()
print(noting.opt_state)
