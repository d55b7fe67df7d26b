"""Buffers that are None at first: the state dict has them as soon as they have a value."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        nn.init.constant_(self.fc.weight, 0.3)
        nn.init.constant_(self.fc.bias, 0.1)
        self.register_buffer("mask", None)

    def set_mask(self, mask):
        self.mask = mask * 1.0

    def forward(self, x):
        y = self.fc(x)
        return y if self.mask is None else y * self.mask


net = Net()
x = torch.sin(torch.arange(6, dtype=torch.float32)).reshape(2, 3)
print(sorted(net.state_dict()))
net.mask = torch.ones(4) * 3
print(net(x).sum().item(), sorted(net.state_dict()))
other = Net()
other.load_state_dict({k: v for k, v in net.state_dict().items() if k != "mask"})
print(other(x).sum().item())
saved = {k: v * 2 for k, v in net.state_dict().items()}
net.load_state_dict(saved)
print(net(x).sum().item())
third = Net()
third.set_mask(torch.ones(4) * 2)
print(third(x).sum().item(), sorted(third.state_dict()))
