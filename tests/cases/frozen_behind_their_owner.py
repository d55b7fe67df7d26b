"""A part is frozen by a name that the module does not see which has it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(8, 8)

    def forward(self, x):
        return self.head(torch.relu(self.backbone(x)))


def main():
    other = Net(nn.Linear(4, 8))

    def freeze():
        for p in other.parameters():
            p.requires_grad = False

    net = Net(other)  # T2J303
    freeze()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = net(torch.ones(3, 4)).sum()
    loss.backward()
    optimizer.step()
    return net
