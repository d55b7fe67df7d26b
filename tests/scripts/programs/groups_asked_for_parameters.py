# also: nnx, linen
"""Groups of parameters that are counted, asked for the shapes of what they hold and for all their options."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def update(model, optimizer):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def describe(optimizer):
    for i, group in enumerate(optimizer.param_groups):
        shapes = [tuple(p.shape) for p in group["params"]]
        count = sum(p.numel() for p in group["params"])
        print(i, len(group["params"]), shapes, count, group["lr"], group["betas"], group["eps"], group["weight_decay"])


def of_one_group():
    model = make()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05, betas=(0.8, 0.9))
    describe(optimizer)
    for _ in range(5):
        print(len(optimizer.param_groups[0]["params"]), update(model, optimizer))


def of_two_groups():
    model = make()
    groups = [{"params": model[0].parameters(), "eps": 1e-3}, {"params": model[2].parameters(), "lr": 0.1}]
    optimizer = torch.optim.AdamW(groups, lr=0.05)
    describe(optimizer)
    print(sum(p.numel() for g in optimizer.param_groups for p in g["params"]))
    for _ in range(5):
        print(update(model, optimizer))


def with_momentum_that_changes():
    model = make()
    optimizer = torch.optim.SGD([{"params": [model[0].weight]}, {"params": [model[0].bias], "lr": 0.3}], lr=0.1)
    for step in range(6):
        total = 0
        for group in optimizer.param_groups:
            if "momentum" in group:
                group["momentum"] = 0.5 + 0.05 * step
            if "betas" in group or "eps" in group:
                group["lr"] = 0.0
            for p in group["params"]:
                total += p.numel()
        print(total, update(model, optimizer), optimizer.param_groups[1]["momentum"])


of_one_group()
of_two_groups()
with_momentum_that_changes()
