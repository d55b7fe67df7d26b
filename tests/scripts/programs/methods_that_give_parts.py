# also: nnx, linen
"""Methods that give parts of their module, alone, in lists and in dicts: what is called and changed are the parts themselves."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
        self.heads = nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 2)])

    def head(self, i):
        return self.heads[i]

    def layers(self):
        return [self.body[0], *self.heads]

    def by_name(self):
        return {"first": self.heads[0], "second": self.heads[1]}

    def forward(self, x):
        x = self.body(x)
        return torch.cat([self.head(i)(x) for i in range(2)], dim=1)


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).view(p.shape) * 0.3)
x = torch.cos(torch.arange(12.0)).view(4, 3)
print(net(x).sum().item(), net.head(1)(torch.ones(2, 4)).sum().item())
print([layer.weight.sum().item() for layer in net.layers()])
print(net.by_name()["second"](torch.ones(2, 4)).sum().item(), list(net.by_name()))
