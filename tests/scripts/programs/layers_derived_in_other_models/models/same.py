import torch
import torch.nn as nn
import torch.nn.functional as F


class Conv2dSame(nn.Conv2d):
    def forward(self, x):
        return super().forward(F.pad(x, (1, 1, 1, 1)))


class HalfLinear(nn.Linear):
    def forward(self, x):
        return super().forward(x) * 0.5


class SameNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = Conv2dSame(3, 4, 3)
        self.fc = HalfLinear(4, 2)

    def forward(self, x):
        return self.fc(self.conv(x).mean((2, 3)))
