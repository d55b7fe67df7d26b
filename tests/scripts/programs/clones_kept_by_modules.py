# also: nnx, linen
"""Modules keep clones of one tensor as parameters, buffers and fields that change: steps of training reuse the arrays of all."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        w = torch.sin(torch.arange(6.0)).view(2, 3)
        self.w = nn.Parameter(w)
        self.v = nn.Parameter(w.clone())
        self.register_buffer("first", w.clone())
        self.register_buffer("again", w.detach().clone())
        self.register_buffer("mean", w.clone().detach())
        self.last = w.clone()

    def forward(self, x):
        y = x @ (self.w * self.v + self.first - self.again).t()
        self.last = self.w.detach().clone()
        self.first.mul_(0.5)
        self.mean.data.mul_(0.9).add_(self.last, alpha=0.1)
        return y


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.cos(torch.arange(6.0) + step).view(2, 3)
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.last.sum().item(), net.first.sum().item(), net.again.sum().item(), net.mean.sum().item())
