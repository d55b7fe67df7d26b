# also: nnx, linen
"""Momentum encoders whose parameters follow inside `forward`, and which the optimizer holds, too."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(3, 4)
        self.key = nn.Linear(3, 4)

    @torch.no_grad()
    def follow(self):
        for q, k in zip(self.query.parameters(), self.key.parameters()):
            k.data = k.data * 0.9 + q.data * 0.1

    def forward(self, a, b):
        with torch.no_grad():
            self.follow()
            k = self.key(b)
        return F.normalize(self.query(a), dim=1) @ F.normalize(k, dim=1).T


model = Contrast()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.9 + i).reshape(p.shape) * 0.4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9, weight_decay=0.01)
for step in range(4):
    x = torch.sin(torch.arange(12.0) + step).view(4, 3)
    loss = F.cross_entropy(model(x, x + 0.1), torch.arange(4))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), [p.sum().item() for p in model.key.parameters()])
