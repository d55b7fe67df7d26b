# also: nnx, linen
"""Parts are frozen by names that functions and methods are given, and trained again."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, names=("a", "b")):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)
        self.c = nn.Linear(3, 3)
        for name in names:
            for p in getattr(self, name).parameters():
                p.requires_grad = False

    def unfreeze(self, name):
        for p in getattr(self, name).parameters():
            p.requires_grad = True

    def forward(self, x):
        return self.c(self.b(self.a(x)))


def freeze(net, part):
    for p in getattr(net, part).parameters():
        p.requires_grad = False


net = Net()
net.unfreeze("a")
freeze(net, "c")
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.3)
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    net(torch.ones(2, 3)).pow(2).sum().backward()
    opt.step()
print({n: (round(p.abs().sum().item(), 3), p.requires_grad) for n, p in net.named_parameters()})

other = Net(names=["c"])
with torch.no_grad():
    for i, p in enumerate(other.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.3)
opt = torch.optim.Adam([p for p in other.parameters() if p.requires_grad], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    other(torch.ones(2, 3)).pow(2).sum().backward()
    opt.step()
print({n: (round(p.abs().sum().item(), 3), p.requires_grad) for n, p in other.named_parameters()})
