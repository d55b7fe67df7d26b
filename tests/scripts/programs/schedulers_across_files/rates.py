"""Schedulers for the programs beside this file."""

import math

from torch.optim.lr_scheduler import _LRScheduler


class WarmupCosine(_LRScheduler):
    def __init__(self, optimizer, warmup, total, last_epoch=-1):
        self.warmup = warmup
        self.total = total
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch < self.warmup:
            return [base_lr * (self.last_epoch + 1) / self.warmup for base_lr in self.base_lrs]
        t = (self.last_epoch - self.warmup) / (self.total - self.warmup)
        return [base_lr * (1 + math.cos(math.pi * t)) / 2 for base_lr in self.base_lrs]


class Noam:
    def __init__(self, optimizer, factor):
        self._optimizer = optimizer
        self.factor = factor
        self.n = 0

    def update(self):
        self.n += 1
        for group in self._optimizer.param_groups:
            group["lr"] = self.factor / self.n
