# also: nnx, linen
"""Gradients of the parameters of models are read by their places, in loops, and where parameters are tied."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 2)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(5, 3)
        self.out = nn.Linear(3, 5, bias=False)
        self.out.weight = self.embedding.weight

    def forward(self, i):
        return self.out(torch.tanh(self.embedding(i)))


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()) * 1.7 + 1).reshape(p.shape))


x, i = torch.arange(6.0).reshape(2, 3) / 6, torch.tensor([0, 2, 4])


def of_tied_weights():
    tied = Tied()
    fill(tied)
    loss = F.cross_entropy(tied(i), i)
    loss.backward()
    print(loss.item(), tied.embedding.weight.grad.sum().item())
    for name, p in tied.named_parameters():
        print(name, p.grad.norm().item())


def by_hand():
    model = Net()
    fill(model)
    for step in range(3):
        model.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.1 * p.grad
        print(loss.item(), model.a.weight.grad.abs().sum().item())


def before_the_update():
    model = Net()
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        total = 0.0
        for p in model.parameters():
            total += p.grad.data.norm(2).item() ** 2
        print(total**0.5, model.b.weight.grad.abs().max().item())
        optimizer.step()
        print(loss.item(), {n: round(p.grad.mean().item(), 4) for n, p in model.named_parameters()})


of_tied_weights()
by_hand()
before_the_update()
