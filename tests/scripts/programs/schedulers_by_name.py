# also: nnx, linen
"""Optimizers and learning rate schedulers whose classes and options a configuration names; a trainer that saves and takes over their states."""

import json
import sys
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


class Net(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.fc1 = nn.Linear(4, hidden)
        self.fc2 = nn.Linear(hidden, 2)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


x = torch.linspace(-1, 1, 24).reshape(6, 4)
y = torch.linspace(0, 1, 12).reshape(6, 2)


PATH = f"{tempfile.mkdtemp()}/trainer.pth"
CONFIGS = map(
    json.loads,
    (
        '{"optimizer": {"type": "Adam", "args": {"lr": 0.01, "amsgrad": true}}, "sched": {"type": "StepLR", "args": {"step_size": 2, "gamma": 0.5}}}',
        '{"optimizer": {"type": "SGD", "args": {"lr": 0.1, "momentum": 0.9}}, "sched": {"type": "CosineAnnealingLR", "args": {"T_max": 4}}}',
        '{"optimizer": {"type": "RMSprop", "args": {}}, "sched": {"type": "ExponentialLR", "args": {"gamma": 0.9}}}',
    ),
)


class Base:
    def __init__(self, model, criterion, optimizer, config):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.config = config

    def train(self):
        for epoch in range(3):
            print(self._train_epoch(epoch))
            self._save(epoch)

    def _train_epoch(self, epoch):
        raise NotImplementedError

    def _save(self, epoch):
        state = {
            "arch": type(self.model).__name__,
            "epoch": epoch,
            "state_dict": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }
        torch.save(state, PATH)

    def resume(self):
        checkpoint = torch.load(PATH)
        self.model.load_state_dict(checkpoint["state_dict"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])


class Trainer(Base):
    def __init__(self, model, criterion, optimizer, config, lr_scheduler=None):
        super().__init__(model, criterion, optimizer, config)
        self.lr_scheduler = lr_scheduler

    def _train_epoch(self, epoch):
        self.model.train()
        total = 0.0
        for step in range(2):
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        if self.lr_scheduler is not None:
            self.lr_scheduler.step()
        return round(total, 5)


def mse(output, target):
    return F.mse_loss(output, target)


def main(config):
    model = Net()
    fill(model)
    params = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = getattr(torch.optim, config["optimizer"]["type"])(params, **config["optimizer"]["args"])
    scheduler = getattr(torch.optim.lr_scheduler, config["sched"]["type"])(optimizer, **config["sched"]["args"])
    trainer = Trainer(model, mse, optimizer, config, lr_scheduler=scheduler)
    trainer.train()
    trainer.resume()
    trainer.train()


for config in CONFIGS:
    main(config)

optimizer_class = getattr(torch.optim, ["AdamW", "SGD"][len(sys.argv) - 1])
model = Net(4)
fill(model)
optimizer = optimizer_class(model.parameters(), 0.02, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
for _ in range(4):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(round(loss.item(), 5), round(scheduler.get_last_lr()[0], 5))
