from blocks import conv_block, tail
from torch import nn


def two(a, b):
    return nn.Sequential(conv_block(a, b), tail(b))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv_block(3, 4), conv_block(4, 2))
        self.own = two(2, 3)

    def forward(self, x):
        return self.own(self.body(x))
