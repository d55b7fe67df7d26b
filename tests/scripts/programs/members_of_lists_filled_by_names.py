# also: nnx
"""A variable for one of a list of modules, by the number of a loop, whose parts are filled by this name."""

import torch
import torch.nn as nn


def fill(m, v):
    for p in m.parameters():
        nn.init.constant_(p, v)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        return torch.tanh(self.fc(x))


class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.n = n
        self.blocks = nn.ModuleList([Block(3) for _ in range(n)])
        for i in range(n):
            block = self.blocks[i]
            fill(block, 0.1 * (i + 1))
        for i in range(n - 1):
            last = self.blocks[i]
            nn.init.constant_(last.fc.bias, 0.2)

            last.fc.weight.data.mul_(1.5)

    def init_weights(self):
        for i in range(self.n):
            block = self.blocks[i]
            fill(block, 0.2)

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return x


net = Net()
x = torch.ones(2, 3)
print(net(x).sum().item(), [b.fc.weight.sum().item() for b in net.blocks])
net.init_weights()
print(net(x).sum().item())
