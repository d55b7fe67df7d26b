# also: nnx linen
"""Losses of shape (1,), of which only the number is read."""

import torch
from torch import nn

net = nn.Linear(2, 1)
with torch.no_grad():
    net.weight.copy_(torch.tensor([[0.3, -0.2]]))
    net.bias.fill_(0.1)
log_alpha = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.Adam([*net.parameters(), log_alpha], lr=0.1)
x = torch.linspace(-1, 1, 8).reshape(4, 2)
for _ in range(4):
    loss = (net(x) ** 2).mean() * log_alpha.exp() - 0.1 * log_alpha.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), float(loss), loss.detach().mean().item(), log_alpha.item())
