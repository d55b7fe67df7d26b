"""Strides that a module sets on its parts, where not all of these are known to be convolutions with nothing else to them."""

import torch.nn as nn


class Step(nn.Module):
    def __init__(self):
        super().__init__()
        self.stride = 2
        self.conv = nn.Conv2d(4, 4, 3, stride=2)

    def forward(self, x):
        return self.conv(x) * self.stride


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 4, 3, stride=2), nn.MaxPool2d(2))
        for name, m in self.body.named_modules():
            if name in ("0", "1"):
                m.stride = (1, 1)  # T2J601

    def forward(self, x):
        return self.body(x)


class Reset(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2)

    def open(self):
        self.conv.stride, self.conv.padding = (1, 1), (1, 1)  # T2J601

    def forward(self, x):
        return self.conv(x)


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        conv = nn.Conv2d(3, 3, 3, stride=2)
        self.body = nn.Sequential(conv, nn.ReLU(), conv)  # T2J604
        self.body[0].stride = (1, 1)  # T2J601

    def forward(self, x):
        return self.body(x)
