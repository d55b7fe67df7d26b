# also: nnx, linen
"""A field is a parameter of some modules of a class, and a buffer of others; or a tensor at first, and then a parameter."""

import torch
from torch import nn


class Shifted(nn.Module):
    def __init__(self, learn=True):
        super().__init__()
        self.head = nn.Linear(4, 2)
        if learn:
            self.shift = nn.Parameter(torch.zeros(1, 4))
        else:
            self.register_buffer("shift", torch.ones(1, 4))
        scale = torch.ones(4)
        if not learn:
            self.register_buffer("scale", scale)
        else:
            self.scale = nn.Parameter(scale)

    def forward(self, x):
        return self.head(x * self.scale + self.shift)


class Made(nn.Module):
    def __init__(self, big=False):
        super().__init__()
        self.head = nn.Linear(4, 2)
        self.weight = torch.zeros(1, 4)
        if big:
            self.weight = torch.ones(1, 4)
        self.weight = nn.Parameter(self.weight)

    def forward(self, x):
        return self.head(x + self.weight)


def train(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
    print([name for name, _ in net.named_parameters()], [name for name, _ in net.named_buffers()])
    print(sorted(net.state_dict()), sum(p.numel() for p in net.parameters()))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x, y = torch.linspace(-1, 1, 12).view(3, 4), torch.linspace(0, 1, 6).view(3, 2)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())


learned, fixed = Shifted(), Shifted(learn=False)
train(learned)
train(fixed)
print(learned.shift.sum().item(), fixed.shift.sum().item())
made = Made(big=True)
print(made.weight.sum().item())
train(made)
print(made.weight.sum().item())
train(nn.Sequential(nn.Identity(), Shifted(False)))
