# also: nnx, linen
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, flag, mask=None):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.register_buffer("mask", mask)
        self.register_buffer("other", None)
        self.f = self.a if flag else self.b

    def a(self, x):
        return self.fc(x)

    def b(self, x):
        return self.fc(x) * 2

    def forward(self, x):
        y = self.f(x)
        if self.mask is not None:
            y = y * self.mask
        return y


for flag in (True, False):
    net = Net(flag, torch.ones(2) if flag else None)
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.5)
    print(net(torch.ones(1, 2)).sum().item(), len(net.state_dict()))
