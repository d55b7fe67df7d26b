# flagged: T2J303, also: nnx, linen
"""A list holds one model twice: where modules are values, there would be two."""

import torch
from torch import nn, optim
import torch.nn.functional as F

X = torch.tensor([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]])
Y = torch.tensor([[1.0], [2.0], [3.0]])


class Net(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.fc1 = nn.Linear(2, 3)
        self.fc2 = nn.Linear(3, 1)
        for k, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (k + 1) * scale)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def show(models):
    for m in models:
        print([round(v, 5) for v in m(X).flatten().tolist()])


class A:
    def __init__(self):
        net = Net()
        self.nets = [net, net, Net()]
        self.opts = [optim.SGD(m.parameters(), lr=0.1, momentum=0.9) for m in self.nets]

    def step(self, x, y):
        for i in range(3):
            self.opts[i].zero_grad()
            loss = F.mse_loss(self.nets[i](x), y)
            loss.backward()
            self.opts[i].step()
        return loss.item()


a = A()
for _ in range(2):
    print(round(a.step(X, Y), 5))
show(a.nets)
