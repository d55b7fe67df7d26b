"""Two steps in one block, each with a number in its loss."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    for i, p in enumerate(model.parameters()):
        p.data = torch.sin(torch.arange(p.numel()).float() * 0.7 + i).view(p.shape) * 0.3
    return model


x = torch.cos(torch.arange(45.0)).view(9, 5)
valid = (torch.arange(9) % 3 > 0).float()
one, other = filled(nn.Linear(5, 1)), filled(nn.Linear(5, 1))
opt_one = torch.optim.SGD(one.parameters(), lr=0.1)
opt_other = torch.optim.SGD(other.parameters(), lr=0.1)
for _ in range(3):
    loss = (one(x)[:, 0].pow(2) * valid).sum() / max(valid.sum().item(), 1)
    opt_one.zero_grad()
    loss.backward()
    opt_one.step()
    second = (other(x)[:, 0].pow(2) * valid).sum() / max(valid.sum().item(), 1)
    opt_other.zero_grad()
    second.backward()
    opt_other.step()
    print(loss.item(), second.item())
