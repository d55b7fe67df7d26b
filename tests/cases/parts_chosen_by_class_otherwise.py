"""Plain lists of parts in a list of modules that are not what the list of modules holds later, or ask for more than classes."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.parts = nn.ModuleList([nn.Sequential(nn.Linear(4, 4)) for _ in range(3)])
        self.firsts = [part[0] for part in self.parts if isinstance(part[0], nn.Linear)]  # T2J601 T2J604
        self.others = nn.ModuleList([nn.Sequential(nn.Linear(4, 4)) for _ in range(3)])
        self.wide = [part[0] for part in self.others if part[0].out_features > n]  # T2J601 T2J604

    def forward(self, x):
        for first in self.firsts:
            x = first(x)
        return x

    def exchange(self):
        self.parts[0] = nn.Sequential(nn.Linear(4, 4))


net = Net(2)
net.exchange()
print(net(torch.ones(2, 4)))
