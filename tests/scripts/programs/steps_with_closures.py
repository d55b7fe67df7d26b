# also: nnx, linen
"""Optimizers that run a closure once in each step, with names that the code around them has, too."""

import torch
import torch.nn as nn
import torch.nn.functional as F

X = torch.linspace(-1, 1, 12).view(4, 3)
Y = torch.tensor([0, 1, 0, 1])


def net():
    m = nn.Linear(3, 2)
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    return m


def train(model, optimizer, n):
    count = 0

    def closure():
        nonlocal count
        count += 1
        optimizer.zero_grad()
        out = model(X)
        loss = F.cross_entropy(out, Y)
        loss.backward()
        return loss

    for _ in range(n):
        optimizer.step(closure)
    return count


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.losses = []

    def step(self, x, y):
        def closure():
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.losses.append(loss.item())
            return loss.item()

        value = self.optimizer.step(closure)
        return value


first = net()
adam = torch.optim.Adam(first.parameters(), lr=0.1)
print(train(first, adam, 3), [round(v, 4) for p in first.parameters() for v in p.detach().flatten().tolist()])

trainer = Trainer(net())
print([round(trainer.step(X, Y), 4) for _ in range(1)])
for i in range(2):
    print(round(trainer.step(X, Y), 4), len(trainer.losses))

model = net()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
out = 5


def compute():
    opt.zero_grad()
    out = model(X)
    loss = F.cross_entropy(out, Y)
    loss.backward()
    return loss


for i in range(3):
    value = opt.step(compute)
    print(out, round(value.item(), 4))
loss = opt.step(closure=compute)
print(round(loss.item(), 4))
