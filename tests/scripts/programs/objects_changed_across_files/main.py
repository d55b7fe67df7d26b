"""A helper of another file changes a dictionary that it is given, and a list of its own file."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from helpers import history, note


def scaled(h, log):
    return note(log, h) + 1


model = nn.Linear(2, 1, bias=False)
nn.init.ones_(model.weight)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[1.0], [2.0]])
log = {}
for _ in range(3):
    optimizer.zero_grad()
    loss = F.mse_loss(scaled(model(x), log), y)
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4), log["n"])
print(history)
