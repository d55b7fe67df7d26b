import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Linear(3, 3)
        self.head = nn.Linear(3, 2)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (i + 1))

    def forward(self, x):
        return self.head(self.conv(x))


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        base = Net()
        for p in base.parameters():
            p.requires_grad = False
        self.conv = base
        self.head = nn.Linear(2, 2)
        nn.init.constant_(self.head.weight, 0.3)
        nn.init.constant_(self.head.bias, 0.1)

    def forward(self, x):
        return self.head(self.conv(x))
