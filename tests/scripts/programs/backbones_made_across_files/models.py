import torch
import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 8)
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x):
        return torch.relu(self.norm(self.stem(x)))


class Head(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))
