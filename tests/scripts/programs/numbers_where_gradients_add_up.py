"""Gradients add up of losses that numbers of what they are computed from weight."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


plain = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
fill(plain)
optimizer = torch.optim.Adam(plain.parameters(), lr=0.05)
X = torch.linspace(-1, 1, 12).view(4, 3) ** 3
Y = torch.tensor([0, 1, 0, 1])
for i in range(4):
    out = plain(X)
    losses = F.cross_entropy(out, Y, reduction="none")
    value = losses.detach().numpy().mean()
    scale = 0.5 if value > 0.6 else 0.25
    loss = losses.mean() * scale
    loss.backward()
    if i % 2 == 1:
        optimizer.step()
        optimizer.zero_grad()
    print(loss.item(), scale)
