# also: nnx
"""Decorators that evaluate a module for a while around methods that other methods of it call: these get what the methods give."""

import torch
import torch.nn as nn


def eval_decorator(fn):
    def inner(model, *args, **kwargs):
        was_training = model.training
        model.eval()
        out = fn(model, *args, **kwargs)
        model.train(was_training)
        return out

    return inner


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.norm = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(0.5)

    @torch.no_grad()
    @eval_decorator
    def target(self, x):
        return self.drop(self.norm(self.first(x)))

    @eval_decorator
    def plain(self, x):
        return self.drop(self.first(x))

    def doubled(self, x):
        y = self.plain(x)
        return y * 2

    def forward(self, x):
        return self.norm(self.first(x)) - self.target(x)


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.first.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape) * 0.1 + i)
x = torch.arange(12.0).reshape(4, 3) ** 2 / 10
print(net(x).flatten().tolist())
print(net(x).abs().sum().item(), net.training)
print(net.plain(x).sum().item(), net.doubled(x).sum().item())
net.eval()
print(net(x).abs().sum().item(), net.plain(x).sum().item(), net.training)
