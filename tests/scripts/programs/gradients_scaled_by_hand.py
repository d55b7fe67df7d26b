# also: linen
"""Loops over parameters that multiply or divide their gradients, now and then."""

import torch
import torch.nn as nn
import torch.nn.functional as F

X = torch.linspace(-1, 1, 12).view(4, 3)
Y = torch.tensor([0, 1, 0, 1])


def make():
    m = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    return m


net = make()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(4):
    opt.zero_grad()
    loss = F.cross_entropy(net(X), Y)
    loss.backward()
    total_norm = 0.0
    for p in net.parameters():
        if p.grad is not None:
            total_norm += p.grad.data.norm(2).item() ** 2
    total_norm = total_norm**0.5
    if total_norm > 0.3:
        for p in net.parameters():
            if p.grad is not None:
                p.grad.data.mul_(0.3 / total_norm)
    opt.step()
    print(round(loss.item(), 4), round(total_norm, 4))


class Trainer:
    def __init__(self):
        self.net = make()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=0.05)

    def run(self, rounds):
        n = 0
        for it in range(rounds):
            loss = F.cross_entropy(self.net(X * (it + 1)), Y)
            loss.backward()
            n += 1
            if n == 2:
                scale = loss.detach() + 1.5
                for p in self.net.parameters():
                    p.grad /= n
                for name, p in self.net.named_parameters():
                    p.grad *= scale
                self.opt.step()
                self.opt.zero_grad()
                n = 0
            print(round(loss.item(), 4))


Trainer().run(6)
