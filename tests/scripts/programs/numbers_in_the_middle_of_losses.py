"""Losses in whose middle a program takes numbers of what is computed so far, and decides something from them."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 2))
third = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
other = nn.Linear(2, 1)
fill(third)
fill(net)
fill(other)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
both = torch.optim.Adam(list(third.parameters()) + list(other.parameters()), lr=0.05)
X = torch.linspace(-1, 1, 12).view(4, 3) ** 3
Y = torch.tensor([0, 1, 0, 1])
seen = []

# with state, and two values that go on
for _ in range(3):
    out = net(X)
    assert out.shape == (4, 2)
    optimizer.zero_grad()
    losses = F.cross_entropy(out, Y, reduction="none")
    seen.append(losses.detach().numpy())
    print("mean", seen[-1].mean())
    weight = float(seen[-1].mean())
    loss = losses.mean() * weight + out.pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(net[1].running_mean.tolist())

# two models, one of which is called behind the decision
for _ in range(3):
    out = third(X)
    seen.append(out.detach().numpy())
    weight = float(seen[-1].mean())
    loss = (other(out) * weight).pow(2).mean()
    both.zero_grad()
    loss.backward()
    both.step()
    print(loss.item())
print(other.weight.flatten().tolist())
