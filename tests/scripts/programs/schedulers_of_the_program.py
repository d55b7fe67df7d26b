# also: linen
"""Schedulers that a program writes itself, in a trainer, from a function, for two optimizers, for groups, beside a plain class."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import _LRScheduler


class WarmupCosine(_LRScheduler):
    def __init__(self, optimizer, warmup, total, last_epoch=-1):
        self.warmup = warmup
        self.total = total
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch < self.warmup:
            return [rate * (self.last_epoch + 1) / self.warmup for rate in self.base_lrs]
        done = (self.last_epoch - self.warmup) / (self.total - self.warmup)
        return [rate * (1 + math.cos(math.pi * done)) / 2 for rate in self.base_lrs]


class Poly(torch.optim.lr_scheduler.LRScheduler):
    def __init__(self, optimizer, total, power=0.9):
        self.total = total
        self.power = power
        super().__init__(optimizer)

    def get_lr(self):
        if self.last_epoch == 0:
            return [group["lr"] for group in self.optimizer.param_groups]
        factor = ((1 - self.last_epoch / self.total) / (1 - (self.last_epoch - 1) / self.total)) ** self.power
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [rate * (1 - self.last_epoch / self.total) ** self.power for rate in self.base_lrs]

    def step(self, epoch=None):
        super().step(epoch)
        self.seen = len(self.optimizer.param_groups)


class Halving:
    def __init__(self, opt, rate):
        self.optimizer, self.rate = opt, rate
        self.count = 0

    def __call__(self):
        self.count += 1
        self.set(self.rate / 2**self.count)

    def set(self, rate):
        for group in self.optimizer.param_groups:
            group["lr"] = rate


def net(start):
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() + start).reshape(p.shape) * 0.3)
    return model


def batch(i):
    return torch.cos(torch.arange(24.0) * (i + 1)).reshape(6, 4), torch.arange(6) % 2


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.scheduler = WarmupCosine(self.optimizer, 3, 8)

    def fit(self, n):
        for i in range(n):
            x, y = batch(i)
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            print(loss.item(), self.scheduler.get_last_lr()[0])


def make(model, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = WarmupCosine(optimizer, 4, 12)
    return optimizer, scheduler


def train(model, optimizer, scheduler, n):
    for i in range(n):
        x, y = batch(i)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        print(loss.item(), optimizer.param_groups[0]["lr"])


def from_function():
    model = net(1)
    optimizer, scheduler = make(model, 0.1)
    train(model, optimizer, scheduler, 6)


def two():
    g, d = net(2), net(3)
    opt_g = torch.optim.SGD(g.parameters(), lr=0.1)
    opt_d = torch.optim.Adam(d.parameters(), lr=0.02)
    sched_g = WarmupCosine(opt_g, 3, 12)
    sched_d = WarmupCosine(opt_d, 5, 12)
    for i in range(6):
        x, y = batch(i)
        opt_d.zero_grad()
        loss_d = F.cross_entropy(d(x), y)
        loss_d.backward()
        opt_d.step()
        opt_g.zero_grad()
        loss_g = F.cross_entropy(g(x), 1 - y)
        loss_g.backward()
        opt_g.step()
        sched_g.step()
        if i % 2:
            sched_d.step()
        print(loss_d.item(), loss_g.item(), sched_g.get_last_lr(), sched_d.get_last_lr())


def groups():
    model = net(4)
    parts = [{"params": model[0].parameters()}, {"params": model[2].parameters(), "lr": 0.03}]
    optimizer = torch.optim.SGD(parts, lr=0.1, momentum=0.9)
    scheduler = Poly(optimizer, 10)
    for i in range(7):
        x, y = batch(i)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if i > 4:
            scheduler.step(i)
        else:
            scheduler.step()
        print(loss.item(), scheduler.get_last_lr(), scheduler.seen, scheduler.optimizer.param_groups[0]["lr"])


def plain():
    model = net(5)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    halve = Halving(optimizer, 0.2)
    for i in range(5):
        x, y = batch(i)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        halve()
        if i == 3:
            halve.set(0.3)
        print(loss.item(), optimizer.param_groups[0]["lr"])


trainer = Trainer(net(0), 0.1)
trainer.fit(6)
print(trainer.optimizer.param_groups[0]["lr"])
from_function()
two()
groups()
plain()
