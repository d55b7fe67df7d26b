# also: nnx, linen
"""Optimizers and schedulers chosen by the settings of a run, which also say how the scheduler steps."""

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler


def train(config, data, model, criterion, optimizer):
    total = 0.0
    model.train()
    for x, y in data:
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return {"loss": total / len(data)}


def main(config):
    rng = np.random.RandomState(0)
    data = [
        (torch.tensor(rng.randn(8, 4), dtype=torch.float32), torch.tensor(rng.randn(8, 1), dtype=torch.float32))
        for _ in range(3)
    ]
    criterion = nn.MSELoss()
    model = nn.Linear(4, 1)
    nn.init.constant_(model.weight, 0.1)
    nn.init.constant_(model.bias, 0.0)

    params = filter(lambda p: p.requires_grad, model.parameters())
    if config["optimizer"] == "Adam":
        optimizer = optim.Adam(params, lr=config["lr"], weight_decay=config["weight_decay"])
    elif config["optimizer"] == "SGD":
        optimizer = optim.SGD(
            params,
            lr=config["lr"],
            momentum=config["momentum"],
            nesterov=config["nesterov"],
            weight_decay=config["weight_decay"],
        )
    else:
        raise NotImplementedError

    if config["scheduler"] == "CosineAnnealingLR":
        scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=config["epochs"], eta_min=config["min_lr"])
    elif config["scheduler"] == "ReduceLROnPlateau":
        scheduler = lr_scheduler.ReduceLROnPlateau(
            optimizer, factor=config["factor"], patience=config["patience"], min_lr=config["min_lr"]
        )
    elif config["scheduler"] == "MultiStepLR":
        scheduler = lr_scheduler.MultiStepLR(
            optimizer, milestones=[int(e) for e in config["milestones"].split(",")], gamma=config["gamma"]
        )
    elif config["scheduler"] == "ConstantLR":
        scheduler = None
    else:
        raise NotImplementedError

    for epoch in range(config["epochs"]):
        log = train(config, data, model, criterion, optimizer)
        if config["scheduler"] == "CosineAnnealingLR":
            scheduler.step()
        elif config["scheduler"] == "ReduceLROnPlateau":
            scheduler.step(log["loss"])
        print("%.5f" % log["loss"], "%.6f" % optimizer.param_groups[0]["lr"])


for name in ("Adam", "SGD"):
    for schedule in ("CosineAnnealingLR", "ReduceLROnPlateau", "MultiStepLR", "ConstantLR"):
        main(
            {
                "optimizer": name,
                "scheduler": schedule,
                "lr": 0.05,
                "weight_decay": 1e-4,
                "momentum": 0.9,
                "nesterov": False,
                "epochs": 6,
                "min_lr": 1e-5,
                "factor": 0.1,
                "patience": 0,
                "milestones": "1,2",
                "gamma": 2 / 3,
            }
        )
