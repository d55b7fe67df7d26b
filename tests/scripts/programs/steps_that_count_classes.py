# also: nnx, linen
"""Counts of classes, classes that no argument counts, and rows repeated as often as a tensor says: steps with these are not compiled; loops fill the weights that they list."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.out = nn.Linear(4, 4), nn.Linear(4, 4)
        self.register_buffer("usage", torch.zeros(4))
        for w in (self.q.weight, self.out.weight):
            nn.init.constant_(w, 0.2)
        for b in [self.q.bias, self.out.bias]:
            b.data.fill_(0.1)

    def forward(self, x):
        index = x.argmax(1)
        if self.training:
            self.usage.mul_(0.9).add_(torch.bincount(index, minlength=self.usage.numel()).float(), alpha=0.1)
        y = self.out(self.q(x)) * F.one_hot(index).float().sum()
        return y.repeat_interleave(index, dim=0)


net = Quantized()
optimizer = torch.optim.SGD(net.parameters(), lr=1e-5)
x = torch.linspace(-2, 2, 40).view(10, 4).cos()
for _ in range(3):
    loss = net(x).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), net.usage.tolist())
