"""Functions that change an optimizer before they return it: by hand, by a scheduler, by a saved state."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def by_hand(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for group in optimizer.param_groups:
        group["lr"] = 0.01
    return optimizer


def of_groups(model):
    optimizer = torch.optim.SGD([{"params": model.parameters()}], lr=0.1)
    for group in optimizer.param_groups:
        group["lr"] = 0.02
    return optimizer


def warming(optimizer, warm):
    if warm:
        return torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=3)
    return torch.optim.lr_scheduler.StepLR(optimizer, 3)


class Maker:
    def __init__(self, model):
        self.model = model
        self.optimizer, self.scheduler = self.configured()

    def configured(self):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        scheduler = warming(optimizer, True)
        return optimizer, scheduler

    def fit(self):
        for i in range(5):
            x, y = batch(i)
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            print(loss.item())


def resumed(model, saved):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    if saved is not None:
        optimizer.load_state_dict(saved)
    return optimizer


def net(start):
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() + start).reshape(p.shape) * 0.3)
    return model


def batch(i):
    return torch.cos(torch.arange(24.0) * (i + 1)).reshape(6, 4), torch.arange(6) % 2


def train(model, optimizer):
    for i in range(4):
        x, y = batch(i)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())


first, second, third = net(0), net(1), net(2)
optimizer = by_hand(first)
train(first, optimizer)
optimizer = of_groups(second)
train(second, optimizer)
optimizer = resumed(third, None)
train(third, optimizer)
again = resumed(third, optimizer.state_dict())
train(third, again)
Maker(net(3)).fit()
