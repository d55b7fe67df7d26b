# flagged: T2J206
"""A class of optimizers that is derived from one of torch."""

import torch
import torch.nn as nn


class Same(torch.optim.Adam):
    pass


net = nn.Linear(2, 3)
opt = Same(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    net(torch.ones(1, 2)).pow(2).sum().backward()
    opt.step()
print(net.weight.shape)
