# flagged: T2J507, T2J203
"""A scheduler that is given beside an optimizer which it was not made for changes the rate of its own."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(4, 3), torch.randn(4, 2)


def train(model, optimizer, scheduler=None):
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        print(loss.item())


net, other = nn.Linear(3, 2), nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
second = torch.optim.SGD(other.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
train(other, second, scheduler)
train(net, optimizer)
