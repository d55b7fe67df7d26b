# also: nnx, linen
"""Groups of parameters whose rates fall where a metric stays."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import lr_scheduler

torch.manual_seed(0)


x = torch.arange(12.0).reshape(4, 3) / 12
y = torch.arange(8.0).reshape(4, 2) / 8


def make():
    net = nn.Linear(3, 2)
    with torch.no_grad():
        net.weight.copy_(torch.arange(6.0).reshape(2, 3) / 6)
        net.bias.fill_(0.1)
    return net


net = make()
adam = torch.optim.Adam([{"params": [net.weight], "lr": 0.02}, {"params": [net.bias]}], lr=0.05)
falling = lr_scheduler.ReduceLROnPlateau(adam, factor=0.5, patience=1, min_lr=[0.001, 0.02])
for epoch in range(6):
    adam.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    adam.step()
    falling.step(loss.detach().abs() + epoch)
    print(f"{loss.item():.5f}", [round(group["lr"], 5) for group in adam.param_groups])
