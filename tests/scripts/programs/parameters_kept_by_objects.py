# flagged: T2J303
"""An object keeps a parameter itself, which changes with every step."""

import torch
import torch.nn as nn


class Watcher:
    def __init__(self, model):
        self.weight = model.weight.data

    def norm(self):
        return self.weight.norm().item()


net = nn.Linear(2, 1)
watcher = Watcher(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = net(torch.ones(1, 2)).sum()
    loss.backward()
    optimizer.step()
    print(watcher.norm() > 0)
