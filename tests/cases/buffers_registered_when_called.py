import torch
from torch import nn


class Calibrated(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def calibrate(self, x):
        self.register_buffer("mean", x.mean(0))  # T2J601

    def forward(self, x):
        return self.fc(x - self.mean)
