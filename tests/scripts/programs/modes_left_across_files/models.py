import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        if self.training:
            return self.fc(x) * 100
        return self.drop(self.fc(x))
