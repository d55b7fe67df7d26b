# flagged: T2J303
"""A method of a scheduler of the program that goes on without it."""

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LRScheduler


class Halving(LRScheduler):
    def get_lr(self):
        return [rate / 2**self.last_epoch for rate in self.base_lrs]


model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
after = Halving(optimizer).step
for _ in range(3):
    optimizer.zero_grad()
    model(torch.ones(2, 3)).sum().backward()
    optimizer.step()
    after()
print(optimizer.param_groups[0]["lr"])
