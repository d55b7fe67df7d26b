# also: nnx
"""Fields of modules and objects that delattr takes away, under no_grad as well."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.extra = nn.Linear(4, 4)

    def fuse(self):
        with torch.no_grad():
            self.fc.weight += self.extra.weight
            self.fc.bias += self.extra.bias
            delattr(self, "extra")

    def forward(self, x):
        y = self.fc(x)
        return y + self.extra(x) if hasattr(self, "extra") else y


class Store:
    def __init__(self):
        self.memory = torch.zeros(3)

    @torch.no_grad()
    def forget(self):
        delattr(self, "memory")


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p))
x = torch.linspace(-2, 2, 40).view(10, 4).cos()
print(net(x).sum().item())
net.fuse()
print(net(x).sum().item())
s = Store()
s.forget()
print(hasattr(s, "memory"))
