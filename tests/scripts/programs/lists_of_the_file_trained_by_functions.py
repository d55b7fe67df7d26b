# also: nnx, linen
"""Functions train the models of lists that are variables of the file."""

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


nets = [Net() for _ in range(3)]
opts = [optim.SGD(n.parameters(), lr=0.1 * (k + 1), momentum=0.9) for k, n in enumerate(nets)]


def train(x, y):
    for n, o in zip(nets, opts):
        o.zero_grad()
        loss = F.mse_loss(n(x), y)
        loss.backward()
        o.step()
    return loss.item()


def one(i):
    opts[i].zero_grad()
    loss = F.mse_loss(nets[i](X), Y)
    loss.backward()
    opts[i].step()


for _ in range(2):
    print(round(train(X, Y), 5))
    one(1)
show(nets)
