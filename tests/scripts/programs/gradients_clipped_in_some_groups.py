# flagged: T2J203, T2J301
"""Gradients that only the parameters of an optimizer lose a part of are looked at beside it."""

import torch
from torch import nn


def clip(optimizer, limit):
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad.clamp_(-limit, limit)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 2)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


net = Net()
for i, p in enumerate(net.parameters()):
    p.data = torch.linspace(-1, 1, p.numel()).reshape(p.shape) * 0.3 + 0.1 * i
first = torch.optim.SGD([{"params": [net.a.weight]}, {"params": [net.a.bias], "lr": 0.2}], lr=0.5)

x = torch.linspace(-1, 1, 12).reshape(3, 4)
for i in range(3):
    first.zero_grad()
    loss = (net(x) ** 2).sum()
    loss.backward()
    clip(first, 0.05)
    print(sum(p.grad.abs().sum().item() for p in net.parameters()))
    first.step()
    print(loss.item())
