# flagged: T2J303
"""Generators that go on with a model which is trained between their results."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 0, 0, 0, 1, 0, 0, 1])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(torch.tanh(self.norm(self.first(x))))


def make():
    model = Net()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def scores(model, n):
    for i in range(n):
        yield model(x)[0, 0].item()


def main():
    net = nn.Linear(3, 2)
    with torch.no_grad():
        net.weight.fill_(0.5)
        net.bias.fill_(0.1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.4)
    for value in scores(net, 3):
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(value)
    g = scores(net, 2)
    print(next(g))
    loss = F.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(next(g))


main()
