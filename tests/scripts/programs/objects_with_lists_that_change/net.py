import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, schedule):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        self.schedule = schedule

    def forward(self, x):
        return self.fc(x) * self.schedule.values[-1]

    def penalty(self):
        return self.schedule.now() * self.fc.weight.pow(2).sum()


def data():
    x = torch.linspace(-1, 1, 12).view(4, 3)
    return x, x.sum(1, keepdim=True)
