# flagged: T2J303 T2J501, also: nnx, linen
"""One optimizer of a list is held by its place while others of the list make steps: where states are values, it may be one of them."""

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


class Agents:
    def __init__(self, n):
        self.n = n
        self.nets = [Net() for _ in range(n)]
        self.opts = [optim.SGD(net.parameters(), lr=0.1, momentum=0.5) for net in self.nets]

    def all_but_first(self, i, x, y):
        self.opts[i].zero_grad()
        for j in range(self.n):
            if j != i:
                self.opts[j].zero_grad()
                loss = F.mse_loss(self.nets[j](x), y)
                loss.backward()
                self.opts[j].step()
        loss = F.mse_loss(self.nets[i](x), y)
        loss.backward()
        self.opts[i].step()
        return loss.item()


agents = Agents(3)
for _ in range(2):
    print(round(agents.all_but_first(1, X, Y), 5))
show(agents.nets)
