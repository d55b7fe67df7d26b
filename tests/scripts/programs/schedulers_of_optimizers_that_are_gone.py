# flagged: T2J507, T2J203
"""A scheduler that is kept while its optimizer is made again: it steps the one that is gone."""

import torch
import torch.nn as nn

net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.1)
x = torch.ones(3, 2)
for i in range(3):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    if i == 0:
        scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    for j in range(3):
        optimizer.zero_grad()
        loss = ((net(x) - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        if j == 1:
            scheduler.step()
    print(loss.item(), optimizer.param_groups[0]["lr"])
