"""Objects that keep an optimizer, set its rate and step it, with gradients of the code around them."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Scheduled:
    """Sets the rate before each step."""

    def __init__(self, optimizer, base, warmup):
        self._optimizer = optimizer
        self.base = base
        self.warmup = warmup
        self.count = 0

    def step_and_update(self):
        """A step at the rate of now."""
        self._update()
        self._optimizer.step()

    def zero_grad(self):
        """Empty the gradients."""
        self._optimizer.zero_grad()

    def rate(self):
        return self.base * min(1.0, self.count / self.warmup)

    def _update(self):
        self.count += 1
        rate = self.rate()
        for group in self._optimizer.param_groups:
            group["lr"] = rate


class Noam:
    def __init__(self, factor, optimizer):
        self.optimizer = optimizer
        self.factor = factor
        self._step = 0
        self._rate = 0

    def step(self):
        self._step += 1
        rate = self.factor * min(self._step**-0.5, self._step * 4**-1.5)
        for p in self.optimizer.param_groups:
            p["lr"] = rate
        self.optimizer.step()
        self._rate = rate


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optim = Scheduled(torch.optim.Adam(model.parameters(), lr=0.1), 0.1, 4)

    def step(self, i):
        x, y = batch(i)
        self.optim.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        self.optim.step_and_update()
        return loss.item()


def net(start):
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() + start).reshape(p.shape) * 0.3)
    return model


def batch(i):
    return torch.cos(torch.arange(24.0) * (i + 1)).reshape(6, 4), torch.arange(6) % 2


def standard(model):
    return Noam(0.2, torch.optim.Adam(model.parameters(), lr=0, betas=(0.9, 0.98), eps=1e-9))


def train(model, opt, n):
    for i in range(n):
        x, y = batch(i)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        opt.optimizer.zero_grad()
        print(loss.item(), opt._rate)


trainer = Trainer(net(0))
for i in range(6):
    print(trainer.step(i), trainer.optim.rate())
first = net(1)
train(first, standard(first), 6)
