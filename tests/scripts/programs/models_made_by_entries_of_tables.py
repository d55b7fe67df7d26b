# also: nnx, linen
"""Models made by entries of tables, classes and functions, are trained."""

import torch
from torch import nn


class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.drop = nn.Dropout(0.0)

    def forward(self, x):
        return self.drop(self.fc(x))


class B(nn.Module):
    def __init__(self, n, bias=True):
        super().__init__()
        self.fc = nn.Linear(n, n, bias=bias)

    def forward(self, x):
        return torch.relu(self.fc(x))


def plain(n):
    model = B(n, bias=False)
    return model


def deep(n):
    return nn.Sequential(A(n), B(n))


MODELS = {"a": A, "b": B, "plain": plain, "deep": deep}



def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.25)
    return model


def build(kind):
    maker = MODELS.get(kind)
    return maker(3)


for name in MODELS:
    net = fill(build(name))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        loss = net(torch.ones(2, 3)).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(name, loss.item(), len(list(net.parameters())), net.training)
print(fill(plain(2))(torch.ones(1, 2)).tolist(), fill(deep(2))(torch.ones(1, 2)).tolist())


