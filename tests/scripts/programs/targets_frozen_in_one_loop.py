# also: nnx
"""Two target networks are taken out of training in one loop, by a list and by a chain of their parameters."""

import itertools
import copy
import torch
import torch.nn as nn

a, b = nn.Linear(2, 2), nn.Linear(2, 2)
for p in itertools.chain(a.parameters(), b.parameters()):
    i = 1
    p.data = torch.arange(p.numel()).float().view_as(p) * 0.1 + i
ta, tb = copy.deepcopy(a), copy.deepcopy(b)
for p in itertools.chain(ta.parameters(), tb.parameters()):
    p.requires_grad = False
opt = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
x = torch.ones(3, 2)
for _ in range(2):
    loss = (b(a(x)) - tb(ta(x)) + 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())


class A:
    def __init__(self):
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)
        for p in list(itertools.chain(self.a.parameters(), self.b.parameters())):
            i = 1
            p.data = torch.arange(p.numel()).float().view_as(p) * 0.1 + i
        self.ta, self.tb = copy.deepcopy(self.a), copy.deepcopy(self.b)
        for p in [*self.ta.parameters(), *self.tb.parameters()]:
            p.requires_grad = False
        self.opt = torch.optim.SGD([*self.a.parameters(), *self.b.parameters()], lr=0.1)

    def update(self, x):
        loss = (self.b(self.a(x)) - self.tb(self.ta(x)) + 1).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


t = A()
for _ in range(2):
    print(t.update(torch.ones(3, 2)))
