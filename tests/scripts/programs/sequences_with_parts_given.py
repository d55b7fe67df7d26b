# flagged: T2J206
import torch
from torch import nn


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)


class ConvBlock(nn.Sequential):
    def __init__(self, act):
        super().__init__(nn.Linear(4, 4))
        self.act = act


class Block2(nn.Sequential):
    def __init__(self, act=None):
        super().__init__()
        self.add_module("fc", nn.Linear(4, 4))
        if act is not None:
            self.act = act


a, b, c = ConvBlock(nn.ReLU()), Block2(nn.Tanh()), Block2()
for m in (a, b, c):
    fill(m)
x = torch.cos(torch.arange(8.0)).view(2, 4)
print(a(x).sum().item(), b(x).sum().item(), c(x).sum().item())
