# flagged: T2J200
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.BatchNorm2d(3)
        self.last = nn.BatchNorm1d(3)
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 2)

    def forward(self, x):
        return self.last(self.first(x).mean((2, 3)))


net = Net()
print(net.first.weight.sum().item(), net.last.weight.sum().item())
