"""An optimizer is given a list of parameters that grew behind its first line: of two models, in two ways."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[1.0], [2.0]])


def added():
    a, b = nn.Linear(2, 3), nn.Linear(3, 1)
    params = list(a.parameters())
    params += list(b.parameters())
    optimizer = torch.optim.SGD(params, lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(b(a(x)), y)
        loss.backward()
        optimizer.step()
    return loss.item()


def extended():
    a, b = nn.Linear(2, 3), nn.Linear(3, 1)
    params = list(a.parameters())
    params.extend(b.parameters())
    optimizer = torch.optim.SGD(params, lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(b(a(x)), y)
        loss.backward()
        optimizer.step()
    return loss.item()


print(added() > 0, extended() > 0)
