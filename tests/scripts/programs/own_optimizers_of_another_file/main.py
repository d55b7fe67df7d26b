# also: nnx, linen
"""Optimizers of a file that does not use them, with groups and without."""

import torch
import torch.nn as nn

from optimizers.averaged import Averaged

x = torch.cos(torch.arange(40.0)).view(10, 4)
y = torch.sin(torch.arange(20.0)).view(10, 2)


def made():
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) + number).view(p.shape) * 0.5)
    return model


model = made()
optimizer = Averaged(model.parameters(), lr=0.05)
for _ in range(5):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())

model = made()
groups = [{"params": model[0].parameters()}, {"params": model[2].parameters(), "lr": 0.01, "weight_decay": 0.1}]
optimizer = Averaged(groups, lr=0.05)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
for _ in range(5):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(loss.item(), [group["lr"] for group in optimizer.param_groups])
