import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, given):
        super().__init__()
        self.mid = nn.Module()  # T2J200
        self.first = nn.Linear(6, 4)
        self.mid.a = nn.Linear(4, 4)  # T2J601
        other = nn.Module()  # T2J200
        other.x = nn.Linear(4, 2)  # T2J601
        given.append(other)
        self.other = other
        third = nn.Module()  # T2J200
        third.register_buffer("b", torch.ones(2))
        self.third = third

    def forward(self, x):
        return self.mid.a(self.first(x))
