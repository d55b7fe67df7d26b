# also: nnx, linen
"""Models in lists are set to one mode, in loops and by their places."""

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


class DNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        self.drop = nn.Dropout(0.9)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.constant_(self.fc.bias, 0.1)

    def forward(self, x):
        return self.drop(self.fc(x))


class A:
    def __init__(self, n):
        self.nets = [DNet() for _ in range(n)]
        self.others = [DNet() for _ in range(n)]

    def freeze(self):
        for net in self.nets:
            net.eval()
        for i in range(len(self.others)):
            self.others[i].eval()


a = A(2)
a.freeze()
show(a.nets)
show(a.others)
nets = [DNet() for _ in range(2)]
for m in nets:
    m.eval()
show(nets)
