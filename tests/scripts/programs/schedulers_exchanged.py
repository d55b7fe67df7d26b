# flagged: T2J507, T2J203
"""Objects that exchange their schedulers: each steps the optimizer of the other."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import lr_scheduler

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


class T:
    def __init__(self, lr, k):
        self.model = nn.Linear(3, 2)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.scheduler = lr_scheduler.StepLR(self.opt, k)

    def step(self):
        loss = F.cross_entropy(self.model(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.scheduler.step()
        print(loss.item(), self.opt.param_groups[0]["lr"])


a = T(0.4, 1)
b = T(0.8, 2)
a.scheduler, b.scheduler = b.scheduler, a.scheduler
for _ in range(4):
    a.step()
    b.step()
