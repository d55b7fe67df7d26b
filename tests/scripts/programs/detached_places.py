# also: nnx linen
"""Weights filled by way of `detach()`, and layers called by `forward`."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.fc = nn.Linear(2, 3)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                m.weight.detach().fill_(0.25)
                if m.bias is not None:
                    m.bias.detach().zero_()
            elif isinstance(m, nn.Linear):
                m.weight.detach().fill_(0.5).mul_(2.0)
                m.bias.detach().zero_()

    def forward(self, x):
        return self.fc.forward(self.conv.forward(x).mean((2, 3)))


net = Net()
x = torch.arange(25.0).reshape(1, 1, 5, 5) / 10
print(net(x).sum().item())
print(net.forward(x).mean().item())
model = nn.Linear(2, 1)
with torch.no_grad():
    model.weight.fill_(0.3)
    model.bias.fill_(0.1)
print(model.forward(torch.ones(3, 2)).sum().item())
