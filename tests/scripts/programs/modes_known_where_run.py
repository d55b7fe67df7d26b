# also: nnx
"""Modes that are known only when the program runs, that are kept and set again, or set for several models in a loop."""

import torch
import torch.nn as nn


class Switch(nn.Module):
    def forward(self, x):
        return x * 0 if self.training else x


class Base(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.l = nn.Linear(n, n)
        self.d = Switch()

    def forward(self, x):
        return self.d(self.l(x)) + 1


class Child(Base):
    def forward(self, x):
        return super().forward(x) * (2 if self.training else 3)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)

    def forward(self, x):
        return self.l(x) * 0


class Trainer:
    def __init__(self, model):
        self.model = model

    def run(self, x, training):
        self.model.train(training)
        return self.model(x).mean().item()


def epoch(model, data, mode="train"):
    model.train(mode == "train")
    total = 0.0
    for x in data:
        total += model(x).mean().item()
    return total


def sample(model, x):
    was = model.training
    model.eval()
    y = model(x)
    model.train(was)
    return y


def sample2(model, x):
    was = model.training
    model.eval()
    y = model(x)
    if was:
        model.train()
    return y


x = torch.ones(2, 4)
torch.manual_seed(0)
for net in (Base(), Child(), nn.Sequential(Plain(), Switch())):
    for p in net.parameters():
        nn.init.constant_(p, 0.1)
    print(epoch(net, [x, x]), epoch(net, [x], mode="test"), net.training)
a = Base()
b = Child()
c = Plain()
for p in a.parameters():
    nn.init.constant_(p, 0.2)
for p in b.parameters():
    nn.init.constant_(p, 0.3)
for k in (a, b):
    k.eval()
print(a(x).mean().item(), b(x).mean().item(), a.training, b.training)
for k in [a, b, c]:
    k.train()
    print(k(x).mean().item())
print(a(x).mean().item(), b(x).mean().item(), a.training, b.training, c.training)
print(sample(a, x).mean().item(), a.training, a(x).mean().item())
print(sample2(a, x).mean().item(), a.training)
a.train(False)
print(sample(a, x).mean().item(), a.training, a(x).mean().item())
print(sample(c, x).mean().item(), sample2(c, x).mean().item())
t = Trainer(a)
print(t.run(x, False), t.run(x, True), t.run(x, 1 < 0))
print(t.model.training)
