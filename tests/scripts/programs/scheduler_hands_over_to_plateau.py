# also: nnx, linen
"""ReduceLROnPlateau behind a scheduler of the program, which asks for its class."""
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import ReduceLROnPlateau, _LRScheduler


class Warmup(_LRScheduler):
    def __init__(self, optimizer, multiplier, length, after_scheduler=None):
        self.multiplier = multiplier
        self.length = length
        self.after_scheduler = after_scheduler
        self.finished = False
        super(Warmup, self).__init__(optimizer)

    def get_lr(self):
        if self.last_epoch > self.length:
            if self.after_scheduler:
                if not self.finished:
                    self.after_scheduler.base_lrs = [base_lr * self.multiplier for base_lr in self.base_lrs]
                    self.finished = True
                return self.after_scheduler.get_last_lr()
            return [base_lr * self.multiplier for base_lr in self.base_lrs]

        if self.multiplier == 1.0:
            return [base_lr * (float(self.last_epoch) / self.length) for base_lr in self.base_lrs]
        else:
            return [base_lr * ((self.multiplier - 1.) * self.last_epoch / self.length + 1.) for base_lr in self.base_lrs]

    def follow_metrics(self, metrics, epoch=None):
        if epoch is None:
            epoch = self.last_epoch + 1
        self.last_epoch = epoch if epoch != 0 else 1
        if self.last_epoch <= self.length:
            warmup_lr = [base_lr * ((self.multiplier - 1.) * self.last_epoch / self.length + 1.) for base_lr in self.base_lrs]
            for param_group, lr in zip(self.optimizer.param_groups, warmup_lr):
                param_group['lr'] = lr
        else:
            if epoch is None:
                self.after_scheduler.step(metrics, None)
            else:
                self.after_scheduler.step(metrics, epoch - self.length)

    def step(self, epoch=None, metrics=None):
        if type(self.after_scheduler) != ReduceLROnPlateau:
            if self.finished and self.after_scheduler:
                if epoch is None:
                    self.after_scheduler.step(None)
                else:
                    self.after_scheduler.step(epoch - self.length)
                self.last_epoch = self.after_scheduler.last_epoch + self.length + 1
                self._last_lr = self.after_scheduler.get_last_lr()
            else:
                return super(Warmup, self).step(epoch)
        else:
            self.follow_metrics(metrics, epoch)


def make():
    model = nn.Linear(3, 1)
    with torch.no_grad():
        model.weight.fill_(0.3)
        model.bias.fill_(0.1)
    return model


x = torch.linspace(-1, 1, 12).reshape(4, 3)
y = x.sum(1, keepdim=True)

model = make()
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
plateau = ReduceLROnPlateau(optimizer, patience=0)
scheduler = Warmup(optimizer, 2.0, 2, after_scheduler=plateau)
for epoch in range(8):
    loss = ((model(x) - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step(metrics=loss.item())
    print(epoch, optimizer.param_groups[0]["lr"], loss.item())
