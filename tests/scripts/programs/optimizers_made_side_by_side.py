# also: nnx, linen
"""Optimizers and schedulers that are made in one line, and used in one."""

import torch
import torch.nn as nn
from torch.optim import SGD, Adam
from torch.optim.lr_scheduler import ExponentialLR, StepLR

x, y = torch.linspace(-1, 1, 24).reshape(6, 4), torch.linspace(0, 1, 6).reshape(6, 1)


def fill(model):
    for i, p in enumerate(model.parameters()):
        p.data.copy_(torch.cos(torch.arange(p.numel()).float() * (i + 1)).view_as(p) * 0.4)
    return model


net_a, net_b = fill(nn.Linear(4, 3)), fill(nn.Linear(3, 1))
opt_a, opt_b = SGD(net_a.parameters(), lr=0.1), SGD(net_b.parameters(), lr=0.01, momentum=0.9)
schedule_a, schedule_b = StepLR(opt_a, 2, 0.5), ExponentialLR(opt_b, 0.9)
for _ in range(4):
    opt_a.zero_grad(), opt_b.zero_grad()
    loss = ((net_b(torch.tanh(net_a(x))) - y) ** 2).mean()
    loss.backward()
    opt_a.step(), opt_b.step()
    schedule_a.step(), schedule_b.step()
    print(round(loss.item(), 5), opt_a.param_groups[0]["lr"], round(schedule_b.get_last_lr()[0], 6))


class Trainer:
    def __init__(self, first, second, lr):
        self.first, self.second = first, second
        self.opt1, self.opt2 = Adam(self.first.parameters(), lr=lr), SGD(self.second.parameters(), lr=lr)
        self.count, self.schedule = 0, StepLR(self.opt1, step_size=1, gamma=0.5)

    def step(self):
        out = torch.tanh(self.first(x))
        loss = ((self.second(out) - y) ** 2).mean()
        self.opt1.zero_grad(); self.opt2.zero_grad()
        loss.backward()
        self.opt1.step(); self.opt2.step()
        self.schedule.step()
        self.count += 1
        return round(loss.item(), 5), self.count, self.opt1.param_groups[0]["lr"]


trainer = Trainer(fill(nn.Linear(4, 3)), fill(nn.Linear(3, 1)), 0.1)
for _ in range(3):
    print(trainer.step())
