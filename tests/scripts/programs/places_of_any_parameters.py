# also: nnx, linen
import torch
from torch import nn


class Elucidated(nn.Module):
    def __init__(self, net, size):
        super().__init__()
        self.net = net
        self.size = size

    @property
    def device(self):
        return next(self.net.parameters()).device

    def sample(self, n):
        x = torch.zeros(n, self.size, device=self.device)
        return self.net(x)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x):
        return x * self.w


def total(model, x):
    x = x.to(next(model.parameters()).dtype)
    return model(x.to(next(model.parameters()).device)).sum()


e = Elucidated(Scaled(), 3)
print(e.sample(2).shape, total(e.net, torch.ones(2, 3, dtype=torch.float64)).item(), e.device is None)
