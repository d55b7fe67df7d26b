# also: nnx
"""Schedulers that may go on from a count of steps, and classes that derive from those of torch."""

import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import LambdaLR


def get_schedule(optimizer, warm: int, total: int, last_epoch: int = -1):
    def factor(step):
        if step < warm:
            return float(step) / float(max(1, warm))
        return max(0.0, float(total - step) / float(max(1, total - warm)))

    return LambdaLR(optimizer, factor, last_epoch)


class WarmupConstant(LambdaLR):
    """Rises to the rate, and stays there."""

    def __init__(self, optimizer, warm, last_epoch=-1):
        self.warm = warm
        super().__init__(optimizer, self.lr_lambda, last_epoch=last_epoch)

    def lr_lambda(self, step):
        return min(1.0, (step + 1) / self.warm)


class Falling(lr_scheduler.StepLR):
    def get_lr(self):
        return [max(rate, 0.02) for rate in super().get_lr()]


def filled():
    net = nn.Linear(3, 1)
    for p in net.parameters():
        nn.init.constant_(p, 0.3)
    return net


def loss_of(net):
    return (net(torch.ones(2, 3)) - 1).pow(2).mean()


net = filled()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = get_schedule(optimizer, 2, 6)
for _ in range(4):
    loss = loss_of(net)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    print(round(loss.item(), 5), round(schedule.get_last_lr()[0], 6), schedule.last_epoch)

second = filled()
adam = torch.optim.AdamW(second.parameters(), lr=0.1)
warm_up = WarmupConstant(adam, 3)
for _ in range(4):
    loss = loss_of(second)
    adam.zero_grad()
    loss.backward()
    adam.step()
    warm_up.step()
    print(round(loss.item(), 5), round(adam.param_groups[0]["lr"], 6))

third = filled()
falling = torch.optim.SGD(third.parameters(), lr=0.1)
halves = Falling(falling, 1, gamma=0.5)
for _ in range(4):
    loss = loss_of(third)
    falling.zero_grad()
    loss.backward()
    falling.step()
    halves.step()
    print(round(loss.item(), 5), round(halves.get_last_lr()[0], 6))

fourth = filled()
resumed = torch.optim.SGD([{"params": fourth.parameters(), "initial_lr": 0.2}], lr=0.1)
later = LambdaLR(resumed, lambda step: 0.9**step, last_epoch=2)
for _ in range(4):
    loss = loss_of(fourth)
    resumed.zero_grad()
    loss.backward()
    resumed.step()
    later.step()
    print(round(loss.item(), 5), round(later.get_last_lr()[0], 6), later.last_epoch)
