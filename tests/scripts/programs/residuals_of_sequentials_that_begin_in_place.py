# also: nnx, linen
"""What a block adds has a name of its own before a Sequential, whose first layer is a ReLU in place, changes it under both names."""

import torch
from torch import nn


class Unit(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.unit = nn.Sequential(
            nn.ReLU(inplace=True),
            nn.Conv1d(width, width, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv1d(width, width, 3, padding=1),
        )

    def forward(self, x):
        input = x
        x = self.unit(x)
        return x + input


class Pooled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.pool = nn.Sequential(nn.ReLU(inplace=True), nn.MaxPool1d(3, 1, 1), nn.Conv1d(width, width, 1))

    def forward(self, x):
        first = residual = x
        out = self.pool(x)
        out += residual
        return out * first.mean()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv1d(2, 3, 1)
        self.unit = Unit(3)
        self.pooled = Pooled(3)

    def forward(self, x):
        return self.pooled(self.unit(self.stem(x)) - 0.2)


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + i).reshape(p.shape) * 0.7)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.cos(torch.arange(16.0)).reshape(2, 2, 4) - 0.3
for _ in range(3):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), x.sum().item())
