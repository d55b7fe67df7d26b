# also: nnx, linen
"""Programs that ask which of torch's norms a layer is: by its class, by its type and by the name of that."""

import torch
from torch import nn


class DoubledNorm(nn.BatchNorm2d):
    def forward(self, x):
        return super().forward(x * 2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.BatchNorm2d(3)
        self.doubled = DoubledNorm(3)
        self.instance = nn.InstanceNorm2d(3, affine=True)
        self.last = nn.BatchNorm1d(3)
        self.line = nn.InstanceNorm1d(3, affine=True)
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 2)

    def forward(self, x):
        return self.last(self.instance(self.doubled(self.first(x))).mean((2, 3)))


def fill(m):
    name = m.__class__.__name__
    if name.find("InstanceNorm2d") != -1:
        nn.init.constant_(m.weight, 3.0)
    elif type(m) is nn.BatchNorm1d:
        nn.init.constant_(m.bias, 0.5)


net = Net()
print(net.first.weight.sum().item(), net.doubled.weight.sum().item(), net.last.weight.sum().item())
net.apply(fill)
print(net.instance.weight.sum().item(), net.line.weight.sum().item(), net.last.bias.sum().item())
for name, m in net.named_modules():
    if isinstance(m, nn.modules.batchnorm._BatchNorm):
        print("batch", name, isinstance(m, (nn.BatchNorm1d, nn.BatchNorm3d)))
x = torch.arange(24.0).reshape(2, 3, 2, 2)
print(net(x).tolist())
print(net.first.running_mean.tolist(), net.last.running_var.tolist())
net.eval()
print(net(x).tolist())
