# also: nnx, linen
"""What may be a number or a tensor says how long a list is, and how often a loop runs."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, n):
        out = [0] * n
        for i in range(n):
            x = x + i
        return x, out


net = Net()
args = (torch.ones(2), 3)
print(net(*args)[0].tolist(), net(*args)[1])
