"""A trainer notes numbers in the middle of a loss, which they weight."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


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


plain = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
fill(plain)
optimizer = torch.optim.Adam(plain.parameters(), lr=0.05)
X = torch.linspace(-1, 1, 12).view(4, 3) ** 3
Y = torch.tensor([0, 1, 0, 1])
trainer = Trainer(plain, optimizer)
for _ in range(3):
    print(trainer.step(X, Y), float(trainer.history[-1]))
