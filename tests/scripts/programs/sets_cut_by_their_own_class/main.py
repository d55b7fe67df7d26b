# also: nnx, linen
"""A model trained with examples that a method of their set's class has chosen."""

import torch
import torch.nn as nn

from banks import load


def train(steps, longest):
    bank = load("[[1.0], [1.0, 2.0], [0.5, 1.0, 0.5], [2.0, 1.0, 1.0, 1.0]]")
    if longest > 0:
        bank = bank.short(longest)
    net = nn.Linear(1, 1)
    with torch.no_grad():
        net.weight.fill_(0.5)
        net.bias.fill_(0.1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for step in range(steps):
        total = 0.0
        for x in bank.examples:
            optimizer.zero_grad()
            loss = ((net(torch.tensor([[sum(x)]])) - 1.0) ** 2).mean()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(step, len(bank), len(bank.short(2)), total)


train(3, 3)
