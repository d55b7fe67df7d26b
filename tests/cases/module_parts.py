"""One module in two fields, parts replaced later, buffers: what a tree of values cannot say is refused."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.net = nn.Sequential(self.fc, nn.ReLU())  # T2J604
        self.positions = torch.arange(4.0)
        self.frozen = nn.Parameter(torch.ones(4), requires_grad=False)

    def forward(self, x):
        self.fc = nn.Linear(4, 4)  # T2J601
        return self.net(x) + self.positions * self.frozen


def replace_head(model: Net):
    model.fc = nn.Linear(4, 2)
    return model
