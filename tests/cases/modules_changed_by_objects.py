"""Objects that keep a module and change it, in a method or where Python calls one by itself, leave the old one under its own name."""

import torch
from torch import nn


class Evaluating:
    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.was = self.model.training
        self.model.eval()

    def __exit__(self, *args):
        self.model.train(self.was)


class Worker:
    def __init__(self, model):
        self.model = model
        self.rows = {}

    def fill(self):
        nn.init.constant_(self.model[0].weight, 0.5)

    def set_mode(self):
        self.model.eval()

    def score(self, x):
        self.rows[len(self.rows)] = x.sum()
        return self.model[0].weight.sum() + x.sum()


class Scaled(Worker):
    def __setitem__(self, key, value):
        self.rows[key] = value
        self.model[0].weight.data = self.model[0].weight.data * value


x = torch.ones(3, 2)


def make():
    return nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))


first = make()
with Evaluating(first), torch.no_grad():
    print(first(x))

second = make()
worker = Worker(second)  # T2J303
worker.fill()
print(second(x))

third = make()
worker = Worker(third)  # T2J303
worker.set_mode()
print(third(x))

fourth = make()
scaled = Scaled(fourth)  # T2J303
scaled["a"] = 2.0
print(fourth[0].weight)

fifth = make()
other = Worker(fifth)
print(fifth(x), other.score(x))
print(fifth(x))
other.set_mode()
fifth.train()
print(fifth(x))
other.fill()
