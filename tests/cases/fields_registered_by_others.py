import torch
from torch import nn


class Table(nn.Module):
    def __init__(self, names):
        super().__init__()
        add = self.register_buffer
        for name in names:
            add(name, torch.zeros(3))  # T2J601

    def forward(self, x):
        return x


class Later(nn.Module):
    def __init__(self, names):
        super().__init__()
        put = lambda name: self.register_buffer(name, torch.ones(2))  # T2J601
        self.count = len(list(map(put, names)))

    def forward(self, x):
        return x
