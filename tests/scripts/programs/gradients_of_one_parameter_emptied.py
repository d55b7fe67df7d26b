# flagged: T2J503, also: nnx, linen
"""The gradient of one parameter of a model is emptied, and those of the others add up: a tree of gradients has no such places."""

import torch
from torch import nn

m = nn.Linear(3, 2)
with torch.no_grad():
    for p in m.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
x = torch.linspace(-1, 1, 6).view(2, 3)
for i in range(2):
    m.weight.grad = None
    loss = (m(x) ** 2).sum()
    loss.backward()
    print(m.weight.grad.tolist(), m.bias.grad.tolist())
