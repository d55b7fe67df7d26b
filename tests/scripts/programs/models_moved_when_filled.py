# also: nnx
"""Models with state that a function fills and gives back, moved to a device in the same line."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 5)
        self.norm = nn.BatchNorm1d(5)

    def forward(self, x):
        return self.norm(self.a(x))


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32).view(p.shape) * 0.7) * 0.3)
    return model


def prepare(device):
    net = fill(Net()).to(device)
    return net


net = prepare(torch.device("cpu"))
x = torch.arange(12, dtype=torch.float32).view(4, 3) / 10
print(net(x).pow(2).sum().item())
net.eval()
print(net(x).sum().item())
