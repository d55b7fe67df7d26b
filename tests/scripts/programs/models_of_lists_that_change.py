# flagged: T2J303, T2J501
"""A list of models to which another one is added: what it holds has no other names that could be read."""

import torch
import torch.nn as nn

x = torch.arange(12.0).view(3, 4) / 12
first, second = nn.Linear(4, 2), nn.Linear(4, 2)
nets = [first]
nets.append(second)
one = torch.optim.SGD(first.parameters(), lr=0.1)
two = torch.optim.SGD(second.parameters(), lr=0.1)
for epoch in range(3):
    for net, optimizer in zip(nets, [one, two]):
        loss = (net(x) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(first(x).sum().item(), nets[1](x).sum().item())
