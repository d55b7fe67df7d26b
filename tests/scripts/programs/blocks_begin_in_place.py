# also: nnx, linen
"""Blocks that begin with an activation in place, and add what that has left of their input: one after the other, of any number."""

import torch
from torch import nn


class Middle(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Sequential(nn.ReLU(inplace=True), nn.Conv1d(width, width, 1), nn.BatchNorm1d(width))
        self.conv2 = nn.Sequential(nn.ReLU(inplace=True), nn.Conv1d(width, width, 1))
        self.shortcut = nn.Sequential()

    def forward(self, x):
        residual = self.conv1(x)
        residual = self.conv2(residual)
        shortcut = self.shortcut(x)
        return shortcut + residual


class Flow(nn.Module):
    def __init__(self, block, times):
        super().__init__()
        self.blocks = self.make_flow(block, times)

    def forward(self, x):
        return self.blocks(x)

    def make_flow(self, block, times):
        return nn.Sequential(*[block(2) for _ in range(times)])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv1d(2, 2, 1)
        self.flow = Flow(Middle, 3)
        self.last = Middle(2)
        self.head = nn.Conv1d(2, 1, 1)

    def forward(self, x):
        x = self.stem(x)
        x = self.flow(x)
        x = self.last(x)
        return self.head(x)


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_((torch.arange(float(p.numel())).reshape(p.shape) + 1).sin())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(12.0).reshape(2, 2, 3).cos()
for _ in range(3):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
net.eval()
print(net(x).tolist())
