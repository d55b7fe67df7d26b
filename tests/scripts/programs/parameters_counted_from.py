# also: nnx
"""Loops over parameters that count from where a variable says."""

import torch
import torch.nn as nn

a, b = nn.Linear(2, 2), nn.Linear(2, 2)
start = 3
for i, p in enumerate(a.parameters(), start):
    p.data = torch.arange(p.numel()).float().view_as(p) * 0.1 * i
with torch.no_grad():
    for i, p in enumerate(b.parameters(), start=2):
        p.copy_(torch.full_like(p, 0.1 * i))
    for i, p in enumerate(b.parameters(), start + 1):
        p.add_(0.01 * i)
print(b(a(torch.ones(1, 2))).sum().item())
