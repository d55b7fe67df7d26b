# also: nnx, linen
"""Layers that `partial` has given some of their arguments, in a function and in the file, and that are called with the others."""

import functools
from functools import partial

import torch
import torch.nn as nn

Norm = functools.partial(nn.BatchNorm2d, momentum=0.2)
Wide = partial(nn.Conv2d, 3, kernel_size=(1, 1))


class Block(nn.Module):
    def __init__(self, a, b, kernel):
        super().__init__()
        conv3x3 = partial(nn.Conv2d, kernel_size=3, stride=1, padding=1, bias=False)
        same = partial(nn.Conv2d, kernel_size=kernel, padding=kernel // 2)
        self.wide = Wide(a)
        self.conv1 = conv3x3(a, int(b / 2))
        self.conv2 = conv3x3(
            int(b / 2),
            b,
            bias=True,
        )
        self.same = same(b, b)
        self.more = nn.ModuleList([conv3x3(b, b, padding=i) for i in range(2)])
        self.norm = Norm(b)

    def forward(self, x):
        x = self.norm(self.same(self.conv2(torch.relu(self.conv1(self.wide(x))))))
        for layer in self.more:
            x = torch.tanh(layer(x))
        return x


net = Block(3, 4, 5)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.3)
x = torch.linspace(-1, 1, 150).reshape(2, 3, 5, 5)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(3):
    optimizer.zero_grad()
    loss = (net(x) - 0.5).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
for name, p in net.named_parameters():
    print(name, tuple(p.shape), f"{p.abs().sum().item():.3f}")
print(f"{net.norm.running_mean.sum().item():.4f}")
