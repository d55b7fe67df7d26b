# flagged: T2J500
"""The gradient goes on into the rounds before, whose graphs are kept."""

import torch
import torch.nn as nn

m = nn.Linear(3, 3)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
h = torch.zeros(3)
for x in torch.linspace(-1, 1, 24).view(8, 3):
    opt.zero_grad()
    h = m(x) + 0.5 * h
    loss = h.pow(2).sum()
    loss.backward(retain_graph=True)
    opt.step()
print(round(loss.item(), 4))
