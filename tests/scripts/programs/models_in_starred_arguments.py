# flagged: T2J303, also: nnx
"""A function changes each of the models that it is given, however many."""

import torch
import torch.nn as nn


def fill(*models, **named):
    for m in models:
        with torch.no_grad():
            for i, p in enumerate(m.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).view(p.shape) * 0.3)


a, b = nn.Linear(2, 2), nn.Linear(2, 2)
fill(a, b)
print(a.weight.sum().item(), b.bias.sum().item())
