"""Losses are modules in torch: without parameters, and mostly without anything else."""

import itertools

import torch
import torch.nn as nn


def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.criterion = nn.MSELoss()

    def forward(self, x, y):
        return self.criterion(self.fc(x), y)


x, y = torch.linspace(-1, 1, 12).reshape(4, 3), torch.linspace(0, 1, 8).reshape(4, 2)
extra = nn.L1Loss()
for make in (0, 1):
    net = Net()
    fill(net)
    if make == 0:
        optimizer = torch.optim.SGD(list(net.parameters()) + list(extra.parameters()), lr=0.1)
    else:
        optimizer = torch.optim.SGD(itertools.chain(extra.parameters(), net.parameters()), lr=0.1)
    for _ in range(3):
        loss = net(x, y) + 0.1 * extra(net.fc(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))
print(
    sum(p.numel() for p in extra.parameters()),
    len(list(nn.CrossEntropyLoss().named_parameters())),
    dict(extra.state_dict()),
)
