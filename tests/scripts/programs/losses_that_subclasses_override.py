# flagged: T2J500
"""A subclass computes another loss than the class whose method trains."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Base:
    def distance(self, x, y):
        return (x - y).abs().mean()


class Trainer(Base):
    def __init__(self, net, lr):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.history = []
        self.count = 0

    def weigh(self, x, power=2, *, scale=1.0):
        return scale * x.abs().pow(power).mean()

    def compute(self, x, y):
        out = self.net(x)
        loss = self.weigh(out - y, scale=0.5) + self.distance(out, y)
        self.history.append(loss.item())
        self.count += 1
        print("updated", self.count)
        return loss

    def fit(self, x, y, steps):
        for _ in range(steps):
            self.optimizer.zero_grad()
            loss = self.compute(x, y)
            loss.backward()
            self.optimizer.step()
        return self.history


class Robust(Trainer):
    def weigh(self, x, power=2, *, scale=1.0):
        return scale * F.smooth_l1_loss(x, torch.zeros_like(x))


net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.2)
nn.init.constant_(net.bias, 0.1)
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
print(Trainer(net, 0.05).fit(x, x.sum(1, keepdim=True), 3))
other = nn.Linear(3, 1)
nn.init.constant_(other.weight, 0.3)
nn.init.constant_(other.bias, 0.1)
print(Robust(other, 0.05).fit(x, x.sum(1, keepdim=True), 3))
