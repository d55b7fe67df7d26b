# also: nnx
"""The momentum and eps of layers of BatchNorm are set from outside: in loops over modules, by apply, in methods, by name."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.bn = nn.BatchNorm2d(4)

    def forward(self, x):
        return self.bn(self.conv(x))


def set_bn_momentum(model, momentum=0.1):
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.momentum = momentum


def init_bn(m):
    if isinstance(m, nn.BatchNorm2d):
        m.eps = 1e-3
        m.momentum = 0.03


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.sin(torch.arange(p.numel()).float() + 1).view(p.shape))
set_bn_momentum(net, 0.3)
x = torch.cos(torch.arange(128).float()).view(2, 1, 8, 8)
print(net(x).sum().item(), net.bn.running_mean.sum().item())
net.apply(init_bn)
print(net(x).abs().sum().item(), net.bn.running_mean.sum().item())
for module in net.modules():
    if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
        module.momentum = 0.5
net(x)
print(net.bn.running_mean.sum().item())


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.reset(0.2)
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                m.eps = 1e-2

    def reset(self, momentum):
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                m.momentum = momentum

    def forward(self, x):
        return self.net(x)


h = Holder()
with torch.no_grad():
    for p in h.parameters():
        p.copy_(torch.sin(torch.arange(p.numel()).float() + 1).view(p.shape))
opt = torch.optim.SGD(h.parameters(), lr=0.1)
for step in range(3):
    loss = h(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), h.net.bn.running_mean.sum().item(), h.net.bn.momentum)
    if step == 1:
        h.net.bn.momentum = 0.7
