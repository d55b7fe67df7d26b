import torch
from torch import nn
from registry import ARCH_REGISTRY


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.fc = nn.Linear(c, c)
        self.bn = nn.BatchNorm1d(c)

    def forward(self, x):
        return x + torch.relu(self.bn(self.fc(x)))


@ARCH_REGISTRY.register()
class ResNet(nn.Module):
    def __init__(self, num_in, num_feat=4, num_block=2):
        super().__init__()
        self.first = nn.Linear(num_in, num_feat)
        self.body = nn.Sequential(*[Block(num_feat) for _ in range(num_block)])
        self.last = nn.Linear(num_feat, 1)

    def forward(self, x):
        return self.last(self.body(self.first(x)))


@ARCH_REGISTRY.register()
class Plain(nn.Module):
    def __init__(self, num_in):
        super().__init__()
        self.fc = nn.Linear(num_in, 1)
        self.drop = nn.Dropout(0.0)

    def forward(self, x):
        return self.drop(self.fc(x))
