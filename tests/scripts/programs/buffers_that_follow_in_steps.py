# also: nnx, linen
"""Momentum encoders whose buffers follow inside `forward` and in steps that are compiled."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 4))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = Encoder()
        self.key = Encoder()

    @torch.no_grad()
    def follow(self):
        for q, k in zip(self.query.parameters(), self.key.parameters()):
            k.data = k.data * 0.9 + q.data * 0.1
        for q, k in zip(self.query.buffers(), self.key.buffers()):
            k.copy_(q)

    def forward(self, a, b):
        with torch.no_grad():
            self.follow()
            k = self.key(b)
        return self.query(a) @ k.T


model = Contrast()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.9 + i).reshape(p.shape) * 0.4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
for step in range(4):
    x = torch.sin(torch.arange(12.0) + step).view(4, 3)
    loss = F.cross_entropy(model(x, x + 0.1), torch.arange(4))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), [b.float().sum().item() for b in model.key.buffers()])
