# also: nnx, linen
"""Decorators set the mode of what a function is given, and leave it so: it is the mode behind the call, though no wrapper gives the module."""

import functools

import torch
import torch.nn as nn


def evaluating(fn):
    @functools.wraps(fn)
    def inner(model, *args, **kwargs):
        model.eval()
        with torch.no_grad():
            return fn(model, *args, **kwargs)

    return inner


def restoring(fn):
    @functools.wraps(fn)
    def inner(model, *args, **kwargs):
        was = model.training
        model.eval()
        with torch.no_grad():
            out = fn(model, *args, **kwargs)
        model.train(was)
        return out

    return inner


def training_after(fn):
    def inner(model, *args):
        model.eval()
        with torch.no_grad():
            out = fn(model, *args)
        model.train()
        return out

    return inner


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)

    @evaluating
    def predict(self, x):
        return self(x).sum().item()

    def forward(self, x):
        y = self.first(x)
        return y * 2 if self.training else y


@evaluating
def evaluate(model, x):
    return model(x).sum().item()


@restoring
def look(model, x):
    return model(x).sum().item()


@training_after
def score(model, x):
    return model(x).sum().item()


def epoch(x):
    model = Net()
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.25)
    loss = evaluate(model, x)
    print(loss, model(x).sum().item())
    loss = score(model, x)
    print(loss, model(x).sum().item())


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
x = torch.arange(6.0).reshape(2, 3)
print(look(net, x), int(net.training))
a = score(net, x)
print(a, int(net.training), net(x).sum().item())
a = evaluate(net, x)
print(a, int(net.training), net(x).sum().item())
print(look(net, x), int(net.training))
a = score(net, x)
print(a, int(net.training), net(x).sum().item())
a = net.predict(x)
print(a, int(net.training), net(x).sum().item())
net.train()
print(evaluate(net, x))
net.train()
print(net(x).sum().item())
epoch(x)
