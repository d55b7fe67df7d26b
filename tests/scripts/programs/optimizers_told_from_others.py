# also: nnx
"""Tests for optimizers: of torch, with and without groups, beside functions and models."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.5, 12).reshape(4, 3)
y = torch.sin(x[:, :1] * 3)


def kind_of(item):
    if not isinstance(item, torch.optim.Optimizer):
        return "other"
    return "optimizer"


def train(net, optimizer: torch.optim.Optimizer):
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    print(loss.item())


def make():
    net = nn.Linear(3, 1)
    nn.init.constant_(net.weight, 0.3)
    nn.init.constant_(net.bias, -0.1)
    return net


first, second = make(), make()
plain = torch.optim.SGD(first.parameters(), lr=0.1)
grouped = torch.optim.Adam([{"params": second.weight}, {"params": second.bias, "lr": 0.2}], lr=0.1)
train(first, plain)
train(second, grouped)
print(
    kind_of(plain),
    kind_of(grouped),
    kind_of(first),
    kind_of(train),
    isinstance(plain, (nn.Module, torch.optim.Optimizer)),
)
