# also: nnx, linen
"""Schedulers that move the momentum as well: one cycle, and cycles, of an optimizer, of groups, and in a trainer."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import CyclicLR, OneCycleLR


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.37 + k).reshape(p.shape) * 0.4)


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.backbone = nn.Linear(4, width)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.norm(self.backbone(x))))


def batches(n=6):
    for i in range(n):
        x = torch.cos(torch.arange(20, dtype=torch.float32) * 0.3 + i).reshape(5, 4)
        y = torch.arange(5) % 3
        yield x, y


def train(opt, sched, model):
    for i, (x, y) in enumerate(batches(9)):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        sched.step()
        print(i, loss.item(), sched.get_last_lr())


def new():
    model = Net()
    fill(model)
    return model


def variant0():
    model = new()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train(opt, OneCycleLR(opt, 0.2, total_steps=10), model)


def variant1():
    model = new()
    opt = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.1)
    sched = OneCycleLR(opt, max_lr=0.05, epochs=2, steps_per_epoch=5, three_phase=True, anneal_strategy="linear")
    train(opt, sched, model)


def variant2():
    model = new()
    opt = torch.optim.Adam(model.parameters(), lr=0.1, betas=(0.8, 0.99))
    sched = CyclicLR(opt, base_lr=0.01, max_lr=0.1, step_size_up=2, step_size_down=3, mode="exp_range", gamma=0.9)
    train(opt, sched, model)


def variant3():
    model = new()
    opt = torch.optim.RMSprop(model.parameters(), lr=0.1)
    sched = CyclicLR(opt, base_lr=0.001, max_lr=0.01, step_size_up=4, scale_fn=lambda n: 1 / n)
    train(opt, sched, model)


class Trainer:
    def __init__(self, model, steps):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=0.05, total_steps=steps, pct_start=0.2
        )

    def train_epoch(self):
        total = 0.0
        for x, y in batches(3):
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.scheduler.step()
            total += loss.item()
        return total / 3, self.scheduler.get_last_lr()[0]


def groups():
    model = Net()
    fill(model)
    opt = torch.optim.SGD(
        [
            {"params": model.backbone.parameters(), "lr": 0.01},
            {"params": [*model.norm.parameters(), *model.head.parameters()]},
        ],
        lr=0.1,
        momentum=0.9,
        nesterov=True,
    )
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=[0.05, 0.3], total_steps=12)
    for i, (x, y) in enumerate(batches(9)):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        sched.step()
        print(i, loss.item(), [g["lr"] for g in opt.param_groups], [g["momentum"] for g in opt.param_groups])


variant0()
variant1()
variant2()
variant3()
groups()
model = Net()
fill(model)
trainer = Trainer(model, 9)
for _ in range(3):
    print(trainer.train_epoch())
