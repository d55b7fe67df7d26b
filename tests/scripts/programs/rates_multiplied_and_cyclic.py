"""Learning rates that are multiplied step by step, or go up and down: read, stepped now and then, in a class and a helper."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import CyclicLR, MultiplicativeLR

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Linear(3, 2)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def train(model, optimizer):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def decay(epoch):
    return 0.9 if epoch % 2 else 0.8


model = make()
optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
scheduler = MultiplicativeLR(optimizer, lr_lambda=decay)
for epoch in range(7):
    print(train(model, optimizer), optimizer.param_groups[0]["lr"], scheduler.get_last_lr()[0])
    if epoch != 3:
        scheduler.step()

model = make()
optimizer2 = torch.optim.Adam(model.parameters(), lr=0.1)
scheduler2 = lr_scheduler.MultiplicativeLR(optimizer2, lambda step: 1 - 0.01 * step)
for epoch in range(5):
    print(train(model, optimizer2))
    scheduler2.step()


def cyclic(mode):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
    scheduler = CyclicLR(
        optimizer, 0.1, 0.5, step_size_up=3, step_size_down=2, mode="triangular2", cycle_momentum=False
    )
    for epoch in range(12):
        print(mode, train(model, optimizer))
        scheduler.step()


cyclic("every update")


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        self.scheduler = CyclicLR(
            self.optimizer, base_lr=0.01, max_lr=0.2, step_size_up=2, mode="exp_range", gamma=0.9, cycle_momentum=False
        )

    def epoch(self):
        losses = [train(self.model, self.optimizer) for _ in range(2)]
        self.scheduler.step()
        return losses


trainer = Trainer(make())
for epoch in range(6):
    print(trainer.epoch(), trainer.optimizer.param_groups[0]["lr"])


def get_scheduler(name, optimizer):
    if name == "cyclic":
        return CyclicLR(optimizer, 0.05, 0.3, 2, cycle_momentum=False)
    return lr_scheduler.ExponentialLR(optimizer, 0.7)


model = make()
optimizer3 = torch.optim.SGD(model.parameters(), lr=0.4)
scheduler3 = get_scheduler("cyclic", optimizer3)
for epoch in range(6):
    print(train(model, optimizer3), optimizer3.param_groups[0]["lr"])
    scheduler3.step()
