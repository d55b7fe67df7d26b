# also: nnx, linen
"""Two models, whose losses are computed side by side and have a backward pass each."""

import torch
import torch.nn as nn


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


a, b = nn.Linear(3, 2), nn.Linear(3, 2)
fill(a)
fill(b)
opt_a = torch.optim.SGD(a.parameters(), lr=0.1)
opt_b = torch.optim.Adam(b.parameters(), lr=0.1)
for x in torch.linspace(-1, 1, 24).view(8, 3):
    la = a(x).pow(2).sum()
    lb = b(x).pow(2).sum()
    opt_a.zero_grad()
    opt_b.zero_grad()
    la.backward()
    lb.backward()
    opt_a.step()
    opt_b.step()
    print(round(la.item(), 4), round(lb.item(), 4))
