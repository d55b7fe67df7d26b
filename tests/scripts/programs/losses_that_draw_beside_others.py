# also: nnx, linen
"""A loss of the program that draws, and losses of torch, which are given to one function that trains: a key is for what draws."""

import torch
import torch.nn as nn


class Noisy(nn.Module):
    def forward(self, x, y):
        order = torch.randperm(len(x))
        return ((x[order] - y[order]) ** 2).mean()


def train(model, criterion, x, y):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        opt.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        opt.step()
        print(loss.item())


def make():
    model = nn.Linear(3, 1)
    with torch.no_grad():
        model.weight.fill_(0.3)
        model.bias.fill_(0.1)
    return model


x = torch.arange(12.0).view(4, 3) / 10
y = torch.arange(4.0).view(4, 1) / 3
train(make(), nn.MSELoss(), x, y)
train(make(), Noisy(), x, y)
train(make(), nn.L1Loss(), x, y)
