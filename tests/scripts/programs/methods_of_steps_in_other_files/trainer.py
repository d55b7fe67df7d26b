import torch
import torch.nn as nn


class Trainer:
    def __init__(self):
        self.model = nn.Linear(3, 1)
        for p in self.model.parameters():
            nn.init.constant_(p, 0.3)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def compute_loss(self, x):
        out = self.model(x)
        self.seen = len(x)
        return (out**2).mean()

    def step(self, x):
        loss = self.compute_loss(x)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
