# flagged: T2J601, also: nnx, linen
"""The method that starts modules is called by `__init__` of a base class and again later, and classes have one of their own."""

import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.build()
        self.init_weights()

    def build(self):
        self.out = nn.Linear(3, 2)

    def init_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.constant_(m.weight, 0.5)
                m.bias.data.zero_()

    def forward(self, x):
        return self.out(self.fc(x))


class Net(Base):
    def init_weights(self):
        super().init_weights()
        nn.init.constant_(self.out.bias, 1.0)


class Other(Base):
    def init_weights(self):
        nn.init.constant_(self.fc.weight, 2.0)
        nn.init.constant_(self.fc.bias, 2.0)
        nn.init.constant_(self.out.weight, 2.0)
        nn.init.constant_(self.out.bias, 2.0)


for cls in (Net, Other):
    net = cls()
    with torch.no_grad():
        net.out.bias.fill_(4.0)
    x = torch.arange(3.0)
    print(net(x).sum().item())
    net.init_weights()
    print(net(x).sum().item())
