import torch
from torch import nn


class ByValue(nn.Module):
    def __init__(self):
        super().__init__()
        self.warm = nn.Linear(2, 2)  # T2J506
        self.cold = nn.Linear(2, 2)  # T2J506

    def forward(self, x):
        if x.sum() > 0:
            return self.warm(x)
        return self.cold(x)


def train(x: torch.Tensor):
    net = ByValue()
    optimizer = torch.optim.AdamW(net.parameters())
    for i in range(4):
        optimizer.zero_grad()
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
    return net
