"""Loops that change the parameters of several modules, joined in one list."""

import torch
import torch.nn as nn

first, second = nn.Linear(3, 4), nn.Linear(4, 3)
inputs = torch.linspace(-1, 1, 6).view(2, 3)
with torch.no_grad():
    # the same first values for both
    for p in [*first.parameters(), *second.parameters()]:
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
print(f"{second(first(inputs)).sum().item():.4f}")
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
for _ in range(3):
    loss = (second(torch.tanh(first(inputs))) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for p in list(first.parameters()) + list(second.parameters()):
        p.data.clamp_(-0.4, 0.4)
    print(f"{loss.item():.4f}")
for p in list(second.parameters()) + list(first.parameters()):
    if p.dim() < 2:
        continue
    nn.init.constant_(p, 0.1)
print(f"{second(first(inputs)).sum().item():.4f}")
