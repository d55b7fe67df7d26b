# also: nnx, linen
"""Objects whose gradients go on from one statement, or one method, to another: they are kept beside their optimizer."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).view(p.shape) * 0.3)


x = torch.cos(torch.arange(24.0) * 0.37).view(8, 3)
y = x.sum(1, keepdim=True).tanh()
batches = [(x[:4], y[:4]), (x[4:], y[4:])]


class OnAFlag:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)

    def run(self, train=True):
        self.model.train(train)
        total = 0.0
        for xb, yb in batches:
            if train:
                self.opt.zero_grad()
            with torch.set_grad_enabled(train):
                loss = F.mse_loss(self.model(xb), yb)
            if train:
                loss.backward()
                self.opt.step()
            total += loss.item()
        return total


class InMethods:
    def __init__(self, model, every):
        self.net = model
        self.every = every
        self.count = 0
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

    def gather(self, xb, yb):
        loss = F.mse_loss(self.net(xb), yb) / self.every
        loss.backward()
        self.count += 1
        return loss.item()

    def move(self):
        if self.count % self.every == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()


def make():
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 1))
    fill(net)
    return net


first, second = OnAFlag(make()), OnAFlag(make())
for epoch in range(3):
    print(first.run(), first.run(train=False), second.run(epoch == 1))
slow = InMethods(make(), 2)
for epoch in range(3):
    for xb, yb in batches:
        print(slow.gather(xb, yb))
        slow.move()
print(sum(p.sum().item() for p in slow.net.parameters()), first.model[1].running_mean.sum().item())
