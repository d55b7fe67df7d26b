# also: nnx
import itertools
import torch
import torch.nn as nn


class T:
    def __init__(self):
        self.a = nn.Linear(3, 1)
        self.b = nn.Linear(3, 1)
        for net in (self.a, self.b):
            nn.init.constant_(net.weight, 0.2)
            nn.init.constant_(net.bias, 0.1)
        self.opt = torch.optim.Adam(itertools.chain(self.a.parameters(), self.b.parameters()), lr=0.1)

    def basic(self, net, x, y):
        loss = (net(x) - y).pow(2).mean()
        loss.backward()
        return loss

    def step(self, x):
        self.opt.zero_grad()
        self.loss_a = self.basic(self.a, x, 1.0)
        self.loss_b = self.basic(self.b, x, 2.0)
        self.opt.step()


t = T()
x = torch.ones(2, 3)
for _ in range(3):
    t.step(x)
    print(t.loss_a.item(), t.loss_b.item())
