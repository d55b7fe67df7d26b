import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(2, 1)
        self.old_head = nn.Linear(2, 3)  # T2J506
        self.scale = nn.Parameter(torch.ones(1))  # T2J506
        self.act = nn.ReLU()

    def forward(self, x):
        return self.used(x)


def train(x: torch.Tensor):
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(2):
        optimizer.zero_grad()
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
    return net
