"""Losses in whose middle a program takes numbers of what is computed so far, and decides something from them."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 2))
plain = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
third = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
other = nn.Linear(2, 1)
fill(third)
fill(net)
fill(plain)
fill(other)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
plain_optimizer = torch.optim.Adam(plain.parameters(), lr=0.05)
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

# gradients that add up, and a decision
for i in range(4):
    out = plain(X)
    losses = F.cross_entropy(out, Y, reduction="none")
    value = losses.detach().numpy().mean()
    scale = 0.5 if value > 0.6 else 0.25
    loss = losses.mean() * scale
    loss.backward()
    if i % 2 == 1:
        plain_optimizer.step()
        plain_optimizer.zero_grad()
    print(loss.item(), scale)

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


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.history = []
        self.weight = 1.0

    def step(self, x, y):
        self.optimizer.zero_grad()
        out = self.model(x)
        losses = F.cross_entropy(out, y, reduction="none")
        self.history.append(losses.detach().numpy().mean())
        self.weight = 2.0 if self.history[-1] > 0.7 else 1.0
        loss = losses.mean() * self.weight
        loss.backward()
        self.optimizer.step()
        return loss.item()


model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
fill(model)
trainer = Trainer(model, torch.optim.Adam(model.parameters(), lr=0.05))
for _ in range(3):
    print(trainer.step(X, Y), float(trainer.history[-1]))


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


last = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
fill(last)
train(last, torch.optim.Adam(last.parameters(), lr=0.05), X, Y)
