# also: nnx, linen
"""Trainers that keep an optimizer beside the object which steps it, and never ask for it again."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Warmup:
    """Sets the rate before each step."""

    def __init__(self, optimizer, width, warmup):
        self._optimizer = optimizer
        self.warmup = warmup
        self.count = 0
        self.base = width**-0.5

    def step_and_update(self):
        """A step at the rate of now."""
        self._update()
        self._optimizer.step()

    def zero_grad(self):
        """Empty the gradients."""
        self._optimizer.zero_grad()

    def _update(self):
        self.count += 1
        rate = self.base * min(self.count**-0.5, self.count * self.warmup**-1.5)
        for group in self._optimizer.param_groups:
            group["lr"] = rate


class Trainer:
    """The optimizer has a name of its own in `__init__`."""

    def __init__(self, model, rate=0.1, betas=(0.9, 0.98)):
        self.model = model
        self.optim = torch.optim.Adam(self.model.parameters(), lr=rate, betas=betas, weight_decay=0.01)
        self.schedule = Warmup(self.optim, 4, warmup=3)
        self.criterion = nn.CrossEntropyLoss()

    def train(self, epoch):
        for i in range(3):
            x, y = batch(epoch + i)
            loss = self.criterion(self.model(x), y)
            self.schedule.zero_grad()
            loss.backward()
            self.schedule.step_and_update()
            print(epoch, i, loss.item())


class Logged:
    def __init__(self, name):
        self.name = name


class LoggedTrainer(Logged):
    """The name is taken in `__init__`, and a base class is asked first."""

    def __init__(self, model, optim="sgd"):
        super().__init__(optim)
        self.model = model
        self.optim = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        self.steps = Warmup(self.optim, 4, 2)

    def epoch(self, n):
        total = 0
        for i in range(n):
            x, y = batch(i)
            self.steps.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.steps.step_and_update()
            total += loss.item()
        return self.name, total


def net(start):
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() + start).reshape(p.shape) * 0.3)
    return model


def batch(i):
    return torch.cos(torch.arange(24.0) * (i + 1)).reshape(6, 4), torch.arange(6) % 2


trainer = Trainer(net(0))
for epoch in range(2):
    trainer.train(epoch)
logged = LoggedTrainer(net(1))
print(logged.epoch(4))
