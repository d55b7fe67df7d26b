# also: nnx
# Buffers that calls change and that `__init__`, or a method it calls, fills or changes once more behind their registration.
import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mean", torch.empty(n))
        self.register_buffer("var", torch.empty(n))
        self.register_buffer("low", torch.zeros(n))
        self.calls = 0
        self.reset()
        self.low[0] = 5.0
        self.low += 1
        self.calls += 2

    def reset(self):
        self.mean.zero_()
        self.var.fill_(2)

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        self.var.mul_(0.9).add_(0.1 * x.var(0))
        self.low = torch.minimum(self.low, x.min(0)[0])
        self.calls += 1
        return (x - self.mean) / self.var


net = Norm(3)
x = torch.cos(torch.arange(12.0)).reshape(4, 3)
print(net.mean.tolist(), net.var.tolist(), net.low.tolist(), net.calls)
for i in range(2):
    print(net(x).sum().item(), net.mean.tolist(), net.var.tolist(), net.low.tolist(), net.calls)
