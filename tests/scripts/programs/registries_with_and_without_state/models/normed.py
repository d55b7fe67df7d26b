import torch
from torch import nn

__all__ = ["Normed", "normed"]


class Normed(nn.Module):
    def __init__(self, num_classes=2):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.out = nn.Linear(4, num_classes)

    def forward(self, x):
        return self.out(torch.tanh(self.bn(self.fc(x))))


def normed(**kwargs):
    return Normed(**kwargs)
