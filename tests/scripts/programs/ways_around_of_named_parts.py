# also: linen
import numpy as np
import torch
import torch.nn as nn


class R(nn.Module):
    def __init__(self, i, o, stride=1):
        super().__init__()
        self.c1 = nn.Conv2d(i, o, 3, 1, padding=1)
        nn.init.constant_(self.c1.weight.data, 0.1)
        nn.init.constant_(self.c1.bias.data, 0.1)
        self.model = nn.Sequential(nn.ReLU(), self.c1, nn.Upsample(scale_factor=stride))
        self.bypass = nn.Sequential()
        if stride != 1:
            self.bypass = nn.Upsample(scale_factor=2)

    def forward(self, x):
        return self.model(x) + self.bypass(x)


class S(nn.Module):
    def __init__(self, i, o, stride=1):
        super().__init__()
        self.c1 = nn.Conv2d(i, o, 3, 1, padding=1)
        nn.init.constant_(self.c1.weight.data, 0.1)
        nn.init.constant_(self.c1.bias.data, 0.1)
        self.model = nn.Sequential(nn.ReLU(), self.c1, nn.AvgPool2d(stride))
        self.bypass = nn.Sequential()
        if stride != 1:

            self.bypass_conv = nn.Conv2d(i, o, 1, 1, padding=0)
            nn.init.constant_(self.bypass_conv.weight.data, 0.2)
            nn.init.constant_(self.bypass_conv.bias.data, 0.2)

            self.bypass = nn.Sequential(self.bypass_conv, nn.AvgPool2d(2, stride=stride, padding=0))

    def forward(self, x):
        return self.model(x) + self.bypass(x)


net = nn.Sequential(R(2, 2, 2), R(2, 2), S(2, 3, 2), S(3, 3))
x = torch.sin(torch.arange(64.0)).view(2, 2, 4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(len(list(net.parameters())))
