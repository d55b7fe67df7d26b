# also: nnx
"""Functions with more arguments, and lambdas, that modules apply; modules that fill the parts of a list, or give themselves to functions."""

import torch
import torch.nn as nn
from functools import partial


def init_fn(m, std=0.02, bias=0.0):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, std)
        if m.bias is not None:
            nn.init.constant_(m.bias, bias)
    elif isinstance(m, (nn.LayerNorm, nn.BatchNorm1d)):
        nn.init.constant_(m.weight, 1.5)
        nn.init.zeros_(m.bias)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        return x + self.fc(self.norm(x))


class Net(nn.Module):
    def __init__(self, d=4, depth=2):
        super().__init__()
        self.blocks = nn.ModuleList([Block(d) for _ in range(depth)])
        self.head = nn.Linear(d, 2)
        self.apply(partial(init_fn, std=0.3, bias=0.1))
        for i, b in enumerate(self.blocks):
            b.apply(init_fn)
        for b in self.blocks:
            b.apply(partial(init_fn, std=0.25))
        self.head.apply(lambda m: init_fn(m, std=0.7))

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.head(x)


net = Net()
x = torch.sin(torch.arange(12, dtype=torch.float32)).reshape(3, 4)
print(
    net(x).sum().item(),
    net.blocks[1].fc.weight.sum().item(),
    net.head.weight.sum().item(),
    net.blocks[0].norm.weight.sum().item(),
)
net.blocks[0].apply(lambda m: nn.init.constant_(m.weight, 0.9) if isinstance(m, nn.Linear) else None)
print(net(x).sum().item())
