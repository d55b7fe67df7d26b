"""Decorators that leave another mode behind, where nothing can be said behind the call."""

import functools

import torch
import torch.nn as nn


def evaluating(fn):
    @functools.wraps(fn)
    def inner(model, *args, **kwargs):
        model.eval()
        return fn(model, *args, **kwargs)

    return inner


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)

    @evaluating
    def target(self, x):
        return self.drop(self.fc(x))

    def other(self, x):
        y = self.target(x)  # T2J603
        return y * 2

    def forward(self, x):
        return self.drop(self.fc(x))


@evaluating
def evaluate(model, x):
    return model(x).sum()


def run(model, x):
    loss = evaluate(model, x)  # T2J603
    return loss


net = Net()
x = torch.ones(2, 3)
print(evaluate(net, x))  # T2J603
print(run(net, x), net(x))
