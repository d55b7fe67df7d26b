"""Dicts of models that are filled twice under a key, or asked for more than entries before they are full."""

import torch
import torch.nn as nn

nets = {}
nets["a"] = nn.Linear(4, 4)
print(len(nets))
nets["b"] = nn.Linear(4, 4)
nets["b"] = nn.Linear(4, 2)
opt = torch.optim.SGD(nets["a"].parameters(), lr=0.1)  # T2J501
x = torch.ones(2, 4)


def loss_of():
    return nets["b"](nets["a"](x)).pow(2).mean() * 0


opt.zero_grad()  # T2J500
loss = loss_of()
loss.backward()  # T2J500
opt.step()  # T2J500
print(loss.item())
