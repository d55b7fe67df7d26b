# also: nnx
"""Parts are called by names that only the program knows, and layers in one row with functions."""

import torch
import torch.nn as nn


class Parts(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 2)
        self.conv = nn.Conv1d(1, 2, 1)
        self.names = names

    def forward(self, x):
        for name in self.names:
            x = getattr(self, name)(x)
        return x

    def mixed(self, x):
        for f in [self.a, torch.tanh, self.b]:
            x = f(x)
        for i, f in enumerate((torch.relu, self.conv)):
            x = f(x.unsqueeze(1) if i else x)
        return x


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return m


x = torch.cos(torch.arange(12.0)).view(4, 3)
net = fill(Parts(["a", "b"]))
print(net(x).sum().item(), net(x.view(2, 2, 3)).sum().item(), fill(Parts(["a"]))(x).sum().item())
print(net.mixed(x).sum().item(), net.mixed(x).shape[0])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
