"""A function trains with the examples that it chooses by their losses."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


def train(model, optimizer, x, y):
    for _ in range(3):
        out = model(x)
        each = F.cross_entropy(out, y, reduction="none")
        order = each.detach().numpy().argsort()
        if order[0] == 0:
            print("first")
            continue
        hard = torch.from_numpy(order[-2:].copy())
        loss = each[hard].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), order.tolist())


plain = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
fill(plain)
optimizer = torch.optim.Adam(plain.parameters(), lr=0.05)
X = torch.linspace(-1, 1, 12).view(4, 3) ** 3
Y = torch.tensor([0, 1, 0, 1])
train(plain, optimizer, X, Y)
