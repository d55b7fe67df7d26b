"""Steps that empty gradients between forward pass and `backward()`, beside one that adds gradients up."""

import torch
import torch.nn as nn

critic = nn.Linear(3, 1)
with torch.no_grad():
    for p in critic.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
optimizer = torch.optim.Adam(critic.parameters(), lr=0.05)
real = torch.linspace(-1, 1, 12).view(4, 3)
for _ in range(3):
    optimizer.zero_grad()
    first = critic(real).mean()
    first.backward()
    second = critic(real).pow(2).mean()
    print(round(first.item(), 3))
    second.backward()
    optimizer.step()

for _ in range(2):
    loss = critic(real).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 3))
