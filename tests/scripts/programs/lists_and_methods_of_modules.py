# flagged: T2J601, also: nnx, linen
"""Modules that hold lists, which stay lists, and methods that change all parameters of a module or of a part."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * (0.1 + 0.01 * i)).reshape(p.shape) * 0.3)
    return model


class Conv(nn.Module):
    def __init__(self, sizes, kernel):
        super().__init__()
        self.sizes = sizes
        self.more = sizes + [1]
        self.index = [0, 2]
        self.conv = nn.Conv1d(sizes[0], sizes[1], kernel, padding=1)

    def forward(self, x):
        print(self.sizes == [3, 4], isinstance(self.sizes, list), len(self.more), self.more + self.index)
        return torch.relu(self.conv(x))[:, :, self.index]

    def reset(self):
        for p in self.parameters():
            nn.init.constant_(p, 0.1)

    def shrink(self):
        for p in self.parameters():
            p.data.mul_(0.5)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = Conv([3, 4], 3)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.c(x).flatten(1))


net = fill(Net())
x = torch.linspace(-1, 1, 24).reshape(2, 3, 4)
print(net(x).sum().item())
net.c.reset()
print(net(x).sum().item())
net.c.shrink()
print(net(x).sum().item())
