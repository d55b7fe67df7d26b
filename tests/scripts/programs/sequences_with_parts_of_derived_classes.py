# flagged: T2J206
import torch
import torch.nn as nn


class Block(nn.Sequential):
    def __init__(self, n):
        super().__init__()
        self.add_module("a", nn.Linear(n, n))
        self.add_module("b", nn.Linear(n, n))


class More(Block):
    def __init__(self, n):
        super().__init__(n)
        self.extra = nn.Linear(n, 2)


m = Block(3)
k = More(3)
with torch.no_grad():
    for q in (m, k):
        for i, p in enumerate(q.parameters()):
            p.copy_(torch.arange(p.numel()).reshape(p.shape).float().sin() + 0.1 * i)
x = torch.arange(6.0).reshape(2, 3)
print(len(m), m[0](x).sum().item())
for layer in m:
    x = layer(x)
print(x.sum().item())
x = torch.arange(6.0).reshape(2, 3)
print(k(x).sum().item())
