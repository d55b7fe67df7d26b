# also: nnx, linen
"""Fields that are given what an initializer gives back, which is the tensor that they hold."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.fc = nn.Linear(8, 3)
        self.scale = nn.Parameter(torch.zeros(3))
        self.scale = nn.init.constant_(self.scale, 2.0)
        self.fc.bias.data = nn.init.constant_(self.fc.bias.data, 0.5)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                m.weight = nn.init.constant_(m.weight, 0.25)
            elif isinstance(m, nn.Linear):
                m.weight.data = nn.init.ones_(m.weight.data)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1)) * self.scale


def fill(m):
    if isinstance(m, nn.Linear):
        m.weight = nn.init.constant_(m.weight, val=0.125)
        m.bias = torch.nn.init.zeros_(tensor=m.bias)


torch.manual_seed(0)
net = Net()
net.conv.bias = nn.init.zeros_(net.conv.bias)
x = torch.arange(16.0).reshape(1, 1, 4, 4)
print(net(x).tolist())
net.apply(fill)
print(net(x).tolist())
with torch.no_grad():
    net.fc.weight.data = net.fc.weight.data.fill_(3.0)
    net.fc.bias.data = net.fc.bias.data.zero_()
print(net(x).tolist())
