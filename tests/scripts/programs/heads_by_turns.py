# also: nnx, linen
"""Heads that are reached by turns: Adam moves only the one with a gradient."""

import torch
import torch.nn as nn


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x, turn: int):
        if turn % 2 == 0:
            return self.a(x)
        return self.b(x)


model = Two()
for p in model.parameters():
    nn.init.constant_(p, 0.25)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for i in range(3):
    optimizer.zero_grad()
    loss = (model(torch.ones(4, 2), i) ** 2).sum()
    loss.backward()
    optimizer.step()
print(model.a.weight.tolist(), model.b.weight.tolist())
