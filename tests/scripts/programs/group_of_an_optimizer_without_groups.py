# also: nnx
"""The one group of an optimizer that was given none: options that change in branches, and are read."""

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


def with_momentum():
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.9, weight_decay=0.1)
    for epoch in range(5):
        for i, group in enumerate(optimizer.param_groups):
            group["lr"] = 0.4 / (epoch + 1)
            if epoch > 2:
                group["weight_decay"] = 0.0
        print(
            update(model, optimizer),
            [g["lr"] for g in optimizer.param_groups],
            optimizer.param_groups[0]["weight_decay"],
        )


def scaled():
    model = make()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.4, weight_decay=0.05)
    for epoch in range(5):
        for group in optimizer.param_groups:
            if "lr_scale" in group:
                group["lr"] = 0.1 * group["lr_scale"]
            else:
                group["lr"] = 0.1
        low, high, decay = 10.0, 0.0, None
        for group in optimizer.param_groups:
            low = min(low, group["lr"])
            high = max(high, group["lr"])
        for group in optimizer.param_groups:
            if group["weight_decay"] > 0:
                decay = group["weight_decay"]
        print(update(model, optimizer), low, high, decay)


with_momentum()
scaled()
