# also: nnx
"""Schedulers derived from those of torch that have a schedule of their own: a warm-up before a cosine, a factor by method."""

import math

import torch
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR


class WarmupCosineSchedule(LambdaLR):
    """Linear warm-up and then cosine decay."""

    def __init__(self, optimizer, warmup_steps, t_total, cycles=0.5, last_epoch=-1):
        self.warmup_steps = warmup_steps
        self.t_total = t_total
        self.cycles = cycles
        super(WarmupCosineSchedule, self).__init__(optimizer, self.lr_lambda, last_epoch=last_epoch)

    def lr_lambda(self, step):
        if step < self.warmup_steps:
            return float(step) / float(max(1.0, self.warmup_steps))
        progress = float(step - self.warmup_steps) / float(max(1, self.t_total - self.warmup_steps))
        return max(0.0, 0.5 * (1.0 + math.cos(math.pi * float(self.cycles) * 2.0 * progress)))


class Constant(LambdaLR):
    def __init__(self, optimizer, last_epoch=-1):
        super().__init__(optimizer, lambda _: 1.0, last_epoch=last_epoch)


class CosineFloor(CosineAnnealingLR):
    """A cosine that never goes below a floor."""

    def __init__(self, optimizer, T_max, floor):
        self.floor = floor
        super().__init__(optimizer, T_max)

    def get_lr(self):
        return [max(self.floor, lr) for lr in super().get_lr()]


class SlowStep(lr_scheduler.StepLR):
    def step(self, epoch=None):
        super().step(epoch)
        self.steps = getattr(self, "steps", 0) + 1


def make(kind, optimizer):
    if kind == "warmup":
        return WarmupCosineSchedule(optimizer, warmup_steps=3, t_total=10)
    if kind == "floor":
        return CosineFloor(optimizer, 6, 0.02)
    if kind == "step":
        return SlowStep(optimizer, 2, gamma=0.5)
    return Constant(optimizer)


for kind in ["warmup", "floor", "step", "constant"]:
    net = torch.nn.Linear(3, 1)
    torch.nn.init.constant_(net.weight, 0.3)
    torch.nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scheduler = make(kind, optimizer)
    x = torch.arange(12.0).view(4, 3) / 12
    for step in range(6):
        loss = ((net(x) - 1.0) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(kind, loss.item(), scheduler.get_last_lr()[0], optimizer.param_groups[0]["lr"])
