# flagged: T2J500
"""What an attack of another file adds to the gradients of parameters goes into a step."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from attacks import polluting


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


def run(x, y):
    model = nn.Linear(3, 3)
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        attacked = polluting(model, x, y)
        loss = F.mse_loss(model(attacked), y)
        loss.backward()
        optimizer.step()
        print(loss.item())
    return model.weight.detach()


print(run(torch.linspace(0, 1, 6).view(2, 3), torch.ones(2, 3)))
