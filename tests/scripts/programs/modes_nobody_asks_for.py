# also: nnx, linen
"""A module sets its own mode where it is made: nothing asks for it, and its parts keep theirs."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.conv = nn.Conv2d(1, width, 3)
        self.norm = nn.BatchNorm2d(width)
        self.head = nn.Linear(width, 2)
        self.training = False
        for i, p in enumerate(self.parameters()):
            p.data = torch.linspace(-1, 1, p.numel()).reshape(p.shape) * 0.3 + 0.1 * i

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x)))
        return self.head(x.mean((2, 3)))


net = Net()
x = torch.linspace(-1, 1, 2 * 16).reshape(2, 1, 4, 4)
print(net(x).tolist(), net.norm.running_mean.sum().item())
net.eval()
print(net(x).tolist(), net.norm.running_mean.sum().item())
net.train()
print(net(x).tolist(), net.norm.running_mean.sum().item())
