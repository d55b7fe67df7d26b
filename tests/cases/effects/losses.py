"""Losses with an axis of length 1, which torch takes for numbers."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def make():
    model = nn.Linear(3, 3)
    for p in model.parameters():
        p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def case_summed_up(x, y):
    model, optimizer = make()
    for _ in range(2):
        total = torch.zeros(1)
        total = total + F.mse_loss(model(x), y)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
    return model.weight.detach()


def case_not_named(x, y):
    model, optimizer = make()
    for _ in range(2):
        optimizer.zero_grad()
        (F.mse_loss(model(x), y) + torch.zeros(1)).backward()
        optimizer.step()
    return model.weight.detach()


def case_read_behind_the_step(x, y):
    model, optimizer = make()
    found = []
    for _ in range(2):
        total = torch.zeros(1)
        total = total + F.mse_loss(model(x), y)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        found.append(total.detach())
    return found
