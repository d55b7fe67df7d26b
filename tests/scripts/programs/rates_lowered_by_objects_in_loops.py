# also: nnx, linen
"""Objects made in a loop keep an optimizer and lower its learning rate."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def train_epoch(self, x, y):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def lower(self):
        for g in self.optimizer.param_groups:
            g["lr"] *= 0.5


def make(k=1):
    net = nn.Linear(4, 2)
    nn.init.constant_(net.weight, 0.1 * k)
    nn.init.constant_(net.bias, 0.2)
    return net


x = torch.linspace(-1, 1, 24).view(6, 4)
y = torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)

for fold in range(2):
    model = make(fold + 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    t = Trainer(model, optimizer)
    for i in range(3):
        print(t.train_epoch(x, y), optimizer.param_groups[0]["lr"])
        t.lower()
    print(optimizer.param_groups[0]["lr"])
