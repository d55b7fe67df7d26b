"""Classes that ask for the mode of their module and leave its making to a base class."""

import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.l = nn.Linear(n, n)

    def forward(self, x):
        return self.l(x)


class Child(Base):
    def forward(self, x):
        return super().forward(x) * 0 + (2 if self.training else 3)


class Deep(Child):
    pass


class Other(Base):
    def __init__(self):
        super().__init__(4)
        self.k = 2

    def forward(self, x):
        return x * 0 + (1 if self.training else 5)


x = torch.ones(2, 4)


def show(net):
    print(net(x).mean().item())
    net.eval()
    print(net(x).mean().item())
    net.train()
    print(net(x).mean().item())


show(Child())
show(Deep(4))
show(Other())
show(Child(n=4))
b = Base()
b.eval()
print(b(x).shape)
