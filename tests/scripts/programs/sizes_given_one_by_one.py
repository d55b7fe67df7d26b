# also: nnx
"""Methods make parameters of sizes that they are given one by one: `torch.FloatTensor(*size)`."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = self.new_parameter(4, 1)
        self.more = self.new_parameter(3)

    def new_parameter(self, *size):
        out = nn.Parameter(torch.FloatTensor(*size))
        nn.init.constant_(out, 0.3)
        return out

    def unused(self, *size):
        return nn.Parameter(torch.FloatTensor(*size))

    def forward(self, x):
        return x @ self.attention + self.more.sum()


print(Net()(torch.ones(2, 4)).tolist())
