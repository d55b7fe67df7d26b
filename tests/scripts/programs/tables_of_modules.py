"""Containers that derive from `nn.Sequential` and run through their table of modules."""

import torch
import torch.nn as nn


class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(0.5, 1.5, n))

    def forward(self, x, inverse=False):
        return x / self.w if inverse else x * self.w


class Flow(nn.Sequential):
    def forward(self, x, inverse=False):
        count = 0
        if not inverse:
            for module in self._modules.values():
                x = module(x, inverse)
        else:
            for i, module in enumerate(reversed(self._modules.values())):
                x = module(x, inverse)
                count += i
        size = x.size(-1)
        return x, len(list(self._modules.values())) + count + size


flow = Flow(*[Scale(3) for _ in range(3)])
x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
with torch.no_grad():
    u, n = flow(x)
    print(u.sum().item(), n)
    back, n = flow(u, True)
    print((back - x).abs().max().item() < 1e-5, n)
