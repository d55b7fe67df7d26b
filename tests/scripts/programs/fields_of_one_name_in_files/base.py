import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = torch.zeros(())

    def remember(self, x):
        self.last = x.sum()
        return x

    def told(self):
        return self.conv2(torch.ones(1, 2)) + self.last
