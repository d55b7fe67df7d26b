# also: nnx
"""Functions within `__init__` that fill the parts of the module."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, value):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.out = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

        def init(m):
            if isinstance(m, nn.Linear):
                nn.init.constant_(m.weight, value)
                nn.init.zeros_(m.bias)

        def start():
            self.apply(init)

        start()

    def forward(self, x):
        return self.out(self.fc(x))


net = Net(0.3)
x = torch.arange(12.0).reshape(4, 3) / 7
print(net(x).sum().item(), Net(-0.2)(x).sum().item())
