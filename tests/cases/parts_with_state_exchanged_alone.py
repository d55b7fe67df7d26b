# a part with state that is exchanged in a module which stands alone
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.fc = nn.Linear(i, o)
        self.bn = nn.BatchNorm1d(o)

    def forward(self, x):
        return torch.tanh(self.bn(self.fc(x)))


class Patched(Block):
    def forward(self, x):
        return torch.sigmoid(self.bn(self.fc(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(3, 4)
        self.second = Block(4, 4)

    def forward(self, x):
        return self.second(self.first(x))


def patched_net():
    net = Net()
    net.second = Patched(4, 4)  # T2J601
    return net

net = patched_net()
