"""Schedulers that are made by name, handed on, saved with all else, and taken up again beside another model and optimizer."""

import io

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import lr_scheduler

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Linear(3, 2)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def make_optimizer(name, model, lr):
    if name == "sgd":
        return torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    elif name == "adam":
        return torch.optim.Adam(model.parameters(), lr=lr)
    raise ValueError(f"no optimizer {name}")


def make_scheduler(name, optimizer, epochs):
    if name == "step":
        return lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    if name == "cosine":
        return lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    if name == "warm-up":
        return lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=3)
    return lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (epoch + 1))


def train(model, optimizer, scheduler, begin, end):
    for epoch in range(begin, end):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(epoch, loss.item(), scheduler.get_last_lr(), optimizer.param_groups[0]["lr"])
    return {
        "epoch": end,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
    }


def resume(file, name, kind):
    model = make()
    optimizer = make_optimizer(name, model, 0.3)
    scheduler = make_scheduler(kind, optimizer, 4)
    saved = torch.load(file)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    scheduler.load_state_dict(saved["scheduler"])
    train(model, optimizer, scheduler, saved["epoch"], 5)


for name, kind in (("sgd", "step"), ("adam", "cosine"), ("sgd", "warm-up"), ("adam", "inverse")):
    model = make()
    optimizer = make_optimizer(name, model, 0.3)
    scheduler = make_scheduler(kind, optimizer, 4)
    file = io.BytesIO()
    torch.save(train(model, optimizer, scheduler, 0, 2), file)
    file.seek(0)
    resume(file, name, kind)
