# also: nnx, linen
"""Schedulers step, and are asked, outside of the objects that keep their optimizers and train."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, StepLR


def make_model():
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))
    return model


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def train_epoch(self, x, y):
        total = 0.0
        for a, b in zip(x.split(3), y.split(3)):
            self.optimizer.zero_grad()
            loss = F.mse_loss(self.model(a), b)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total


class ScheduledTrainer(Trainer):
    def __init__(self, model, optimizer, scheduler):
        super().__init__(model, optimizer)
        self.scheduler = scheduler

    def finish_epoch(self):
        self.scheduler.step()


x = torch.linspace(-1, 1, 24).view(6, 4)
y = torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)

model = make_model()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = StepLR(optimizer, 2, gamma=0.5)
trainer = Trainer(model, optimizer)
for epoch in range(4):
    print(trainer.train_epoch(x, y))
    scheduler.step()
    print(scheduler.get_last_lr()[0], optimizer.param_groups[0]["lr"])

for fold in range(2):
    net = make_model()
    opt = torch.optim.Adam(net.parameters(), lr=0.05 * (fold + 1))
    falling = ExponentialLR(opt, 0.5)
    one = Trainer(net, opt)
    for epoch in range(3):
        print(fold, one.train_epoch(x, y))
        falling.step()


def main():
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scheduler = StepLR(optimizer, 1, gamma=0.5)
    trainer = ScheduledTrainer(model, optimizer, scheduler)
    for epoch in range(3):
        print(trainer.train_epoch(x, y), scheduler.get_last_lr()[0])
        trainer.finish_epoch()


main()
