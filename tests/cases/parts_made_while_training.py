import copy

import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(3, 4)
        self.target = None

    def made(self):
        if self.target is None:
            self.target = copy.deepcopy(self.online)  # T2J601
        return self.target

    def forward(self, x):
        out = self.online(x)
        with torch.no_grad():
            goal = self.made()(x * 0.5)
        return (out - goal).pow(2).mean()


def train(x):
    learner = Learner()
    optimizer = torch.optim.SGD(learner.parameters(), lr=0.1)
    loss = learner(x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
