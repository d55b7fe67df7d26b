# flagged: T2J603
import torch
import torch.nn as nn


class Block(nn.Sequential):
    def __init__(self, n):
        super().__init__()
        self.add_module("a", nn.Linear(n, n))
        self.extra = nn.Linear(n, n)


m = Block(3)
with torch.no_grad():
    for i, p in enumerate(m.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float().sin() + 0.1 * i)
x = torch.arange(6.0).reshape(2, 3)
print(m(x).sum().item())
print(len(m), m[1](x).sum().item())
for layer in m:
    x = layer(x)
print(x.sum().item())
