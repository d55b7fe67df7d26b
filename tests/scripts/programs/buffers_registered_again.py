# also: nnx, linen
"""Buffers that are registered again, outside of their module."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.register_buffer("scale", torch.tensor(1.0))
        nn.init.constant_(self.fc.weight, 0.2)
        nn.init.constant_(self.fc.bias, 0.1)

    def forward(self, x):
        return self.fc(x) * self.scale


net = Net()
x = torch.arange(12.0).reshape(4, 3) / 7
net.register_buffer("scale", torch.tensor(2.0))
print(net(x).sum().item(), list(net.state_dict()))


def rescale(net):
    net.register_buffer("scale", torch.tensor(3.0))


rescale(net)
print(net(x).sum().item(), list(net.state_dict()))
