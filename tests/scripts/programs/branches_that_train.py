"""Both branches of a choice train with the loss above them; what an object trains with is read outside of it."""

import torch
from torch import nn


class Trainer:
    def __init__(self, model, optimizer, scaled, halves=False):
        self.model = model
        self.optimizer = optimizer
        self.scaled, self.halves = scaled, halves
        self.norms = 0
        if scaled:
            self.scaler = torch.amp.GradScaler("cpu", enabled=False)

    def run(self, x, y, train=True):
        with torch.set_grad_enabled(train):
            loss = nn.functional.mse_loss(self.model(x), y)
        if train:
            self.optimizer.zero_grad(set_to_none=True)
            if self.scaled:
                self.scaler.scale(loss).backward()
                self.scaler.unscale_(self.optimizer)
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
                self.optimizer.step()
        return loss.item()

    def run_in_parts(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        if self.halves:  # an odd one
            (loss / 2).backward()
        else:
            loss.backward()
        if not self.scaled:
            self.optimizer.step()
        else:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.2)
            self.norms += 1
            self.optimizer.step()
        return loss.item()

    def run_clipped(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        if self.scaled or self.halves:
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.1)
            self.norms += 1
        else:
            loss.backward()
        self.optimizer.step()
        return loss.item()


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 1.3 + number).reshape(p.shape))


def show(scaled, halves):
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    trainer = Trainer(model, optimizer, scaled, halves)
    for _ in range(2):
        print(round(trainer.run(x, y), 4), round(trainer.run_in_parts(x, y), 4), round(trainer.run_clipped(x, y), 4))
    for group in optimizer.param_groups:
        group["lr"] = 0.02
    print(round(trainer.run(x, y), 4), round(trainer.run(x, y, train=False), 4), trainer.norms)
    print(optimizer.param_groups[0]["lr"], len(optimizer.param_groups))


x = torch.sin(torch.arange(24.0)).reshape(8, 3)
y = x[:, :2].cos()
show(False, False)
show(True, True)
