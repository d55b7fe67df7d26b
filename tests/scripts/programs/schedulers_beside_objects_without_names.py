# flagged: T2J203, T2J303, T2J507
"""A scheduler steps between two objects that keep its optimizer and train, of which none has a name."""

import torch
import torch.nn.functional as F
from torch import nn


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


x = torch.linspace(-1, 1, 24).view(6, 4)
model = nn.Linear(4, 1)
nn.init.constant_(model.weight, 0.3)
nn.init.constant_(model.bias, 0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
print(Trainer(model, optimizer).train_epoch(x, x.sum(1, keepdim=True)))
scheduler.step()
print(Trainer(model, optimizer).train_epoch(x, x.sum(1, keepdim=True)))
