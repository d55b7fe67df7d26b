# also: nnx
"""Loops over parameters carry counters, offsets and sums from round to round, which the code behind them reads."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 1)
        k = 0
        for p in self.parameters():
            n = p.numel()
            p.data.copy_(torch.sin(torch.arange(k, k + n).float()).view_as(p))
            k += n
        self.count = k

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def weights(net):
    g = 0
    for p in net.parameters():
        if p.ndim == 2:
            with torch.no_grad():
                p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float) + g).reshape(p.shape) * 0.4)
            g += 1
        elif p.ndim == 1 and p.shape[0] == 1:
            nn.init.zeros_(p)
    return g


def load_flat(net, flat):
    offset = 0
    with torch.no_grad():
        for name, p in net.named_parameters():
            size = p.numel()
            if name.endswith("bias"):
                offset += size
                continue
            p.copy_(flat[offset : offset + size].view(p.shape))
            offset += size
    return offset


def clip(net, limit):
    total = torch.zeros(())
    for p in net.parameters():
        total += p.detach().abs().sum()
        p.data.clamp_(-limit, limit)
    return total


def show(net):
    print([round(p.sum().item(), 4) for p in net.parameters()])


net = Net()
show(net)
found = weights(net)
print(net.count, found)
show(net)
print(load_flat(net, torch.arange(40.0) / 40))
show(net)
print(round(clip(net, 0.3).item(), 4))
show(net)
start = 0
for p in net.parameters():
    p.data.fill_(start)
    start += 1
print(start)
show(net)
