# also: nnx, linen
"""Optimizers and the models they train lie in two lists, and are asked by their places: in methods, functions and at the end."""

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
        self.opts = []
        for i in range(n):
            self.opts.append(optim.SGD(self.nets[i].parameters(), lr=0.1 * (i + 1), momentum=0.5))

    def train(self, x, y):
        losses = []
        for agent in range(self.n):
            self.opts[agent].zero_grad()
            loss = F.mse_loss(self.nets[agent](x), y * (agent + 1))
            loss.backward()
            self.opts[agent].step()
            losses.append(round(loss.item(), 5))
        return losses

    def some(self, x, y):
        total = 0.0
        for i in range(self.n):
            if i == 1:
                continue
            loss = F.mse_loss(self.nets[i](x), y)
            self.opts[i].zero_grad()
            loss.backward()
            if i > 1:
                self.opts[i].step()
            total += loss.item()
        return total

    def one_and_the_next(self, i, x, y):
        self.opts[i].zero_grad()
        loss = F.mse_loss(self.nets[i](x), y)
        loss.backward()
        self.opts[i].step()
        i = (i + 1) % self.n
        self.opts[i].zero_grad()
        loss = F.mse_loss(self.nets[i](x), y)
        loss.backward()
        self.opts[i].step()
        return loss.item()


agents = Agents(3)
for _ in range(2):
    print(agents.train(X, Y))
    print(round(agents.some(X, Y), 5))
    print(round(agents.one_and_the_next(2, X, Y), 5))
show(agents.nets)


def main():
    models = [Net(0.5) for _ in range(3)]
    opts = [optim.Adam(m.parameters(), lr=0.01) for m in models]
    for epoch in range(3):
        for i, model in enumerate(models):
            model.train()
            opts[i].zero_grad()
            loss = F.mse_loss(model(X), Y * (i + 1))
            loss.backward()
            opts[i].step()
            print(epoch, i, round(loss.item(), 5))
    show(models)


main()
members = [Net(-0.5) for _ in range(2)]
optimizers = [optim.SGD(m.parameters(), lr=0.1) for m in members]
for epoch in range(3):
    for i in range(len(members)):
        loss = F.mse_loss(members[i](X), Y)
        optimizers[i].zero_grad()
        loss.backward()
        optimizers[i].step()
        print(epoch, i, round(loss.item(), 5))
for m in members:
    m.eval()
show(members)
