# also: nnx, linen
"""Modules and functions that are traced, scripted, compiled, saved and read again, before and after they are trained."""

import os
import tempfile

import torch
import torch.nn as nn


class Compiled(nn.Module):
    def __init__(self, fast):
        super().__init__()
        self.body = nn.Linear(3, 1)
        nn.init.constant_(self.body.weight, 0.5)
        nn.init.constant_(self.body.bias, 0.5)
        if fast:
            self.run = torch.compile(self.features, backend="eager")
        else:
            self.run = self.features

    def features(self, x):
        return torch.tanh(self.body(x))

    def forward(self, x):
        return self.run(x)


@torch.jit.script
def scaled(x, y):
    return x * 2 + y


def export(model, path):
    model.eval()
    traced = torch.jit.trace(model, torch.ones(1, 3))
    traced.save(path)
    return traced


def double(x):
    return x * 2


x = torch.arange(12.0).reshape(4, 3) / 7
line = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
with torch.no_grad():
    line[0].weight.fill_(0.25)
    line[0].bias.fill_(0.5)
path = os.path.join(tempfile.mkdtemp(), "line.pt")
same = export(line, path)
again = torch.jit.load(path)
line.compile(backend="eager")
line.forward = torch.compile(line.forward, backend="eager")
print(round(same(x).sum().item(), 5), round(again(x).sum().item(), 5), round(line(x).sum().item(), 5))

compiled = Compiled(False)
optimizer = torch.optim.SGD(compiled.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = (compiled(x) ** 2).sum()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5), round(compiled.run(x).sum().item(), 5))

traced = torch.jit.trace(double, (x,))
futures = [torch.jit.fork(double, part) for part in x]
print(round(sum(torch.jit.wait(future).sum().item() for future in futures), 5), round(traced(x).sum().item(), 5))
print(round(scaled(x, x + 1).sum().item(), 5))
