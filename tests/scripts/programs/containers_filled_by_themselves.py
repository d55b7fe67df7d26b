# also: nnx
"""Containers of parts that `__init__` holds by themselves, too, and fills or marks by the container."""

import torch
from torch import nn
def init_weights(m):
    if isinstance(m, nn.Linear):
        m.weight.data.fill_(0.2)
        m.bias.data.fill_(0.2)
def init_all(net):
    for m in net.modules():
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.2)
            nn.init.constant_(m.bias, 0.2)
class Net0(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin0 = nn.Linear(2, 2)
        self.lin1 = nn.Linear(2, 1)
        for q in (self.lin0, self.lin1):
            nn.init.constant_(q.weight, 0.1)
            nn.init.constant_(q.bias, 0.1)
        self.net = nn.Sequential(self.lin0, self.lin1)
        self.net.apply(init_weights)
    def forward(self, x):
        return self.net(x)
class Net1(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin0 = nn.Linear(2, 2)
        self.lin1 = nn.Linear(2, 1)
        for q in (self.lin0, self.lin1):
            nn.init.constant_(q.weight, 0.1)
            nn.init.constant_(q.bias, 0.1)
        self.net = nn.Sequential(self.lin0, self.lin1)
        init_all(self.net)
    def forward(self, x):
        return self.net(x)
class Net2(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin0 = nn.Linear(2, 2)
        self.lin1 = nn.Linear(2, 1)
        for q in (self.lin0, self.lin1):
            nn.init.constant_(q.weight, 0.1)
            nn.init.constant_(q.bias, 0.1)
        self.net = nn.Sequential(self.lin0, self.lin1)
        self.net.requires_grad_(False)
    def forward(self, x):
        return self.net(x)
class Net3(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin0 = nn.Linear(2, 2)
        self.lin1 = nn.Linear(2, 1)
        for q in (self.lin0, self.lin1):
            nn.init.constant_(q.weight, 0.1)
            nn.init.constant_(q.bias, 0.1)
        self.net = nn.Sequential(self.lin0, self.lin1)
        [nn.init.constant_(p, 0.4) for p in self.net.parameters()]
    def forward(self, x):
        return self.net(x)
class Net4(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin0 = nn.Linear(2, 2)
        self.lin1 = nn.Linear(2, 1)
        for q in (self.lin0, self.lin1):
            nn.init.constant_(q.weight, 0.1)
            nn.init.constant_(q.bias, 0.1)
        self.net = nn.Sequential(self.lin0, self.lin1)
        for p in self.net.parameters():
            nn.init.constant_(p, 0.2)
    def forward(self, x):
        return self.net(x)
class Net5(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin0 = nn.Linear(2, 2)
        self.lin1 = nn.Linear(2, 1)
        for q in (self.lin0, self.lin1):
            nn.init.constant_(q.weight, 0.1)
            nn.init.constant_(q.bias, 0.1)
        self.net = nn.Sequential(self.lin0, self.lin1)
        for m in self.net:
            if isinstance(m, nn.Linear):
                m.weight.data.fill_(0.2)
    def forward(self, x):
        return self.net(x)
for kind in (Net0, Net1, Net2, Net3, Net4, Net5):
    m = kind()
    m.eval()
    print(m(torch.ones(1, 2)).tolist(), sum(p.requires_grad for p in m.parameters()))
