# also: nnx, linen
"""Settings of layers in loops that ask for their classes: `t = type(m)`; whether layers change their arguments in place."""
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.act = nn.LeakyReLU(0.1)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.act(self.bn(self.conv(x))))


def initialize_weights(model):
    for m in model.modules():
        t = type(m)
        if t is nn.Conv2d:
            nn.init.constant_(m.weight, 0.1)
            nn.init.constant_(m.bias, 0.1)
        elif t is nn.BatchNorm2d:
            m.eps = 1e-3
            m.momentum = 0.03
        elif t in [nn.Hardswish, nn.LeakyReLU, nn.ReLU, nn.ReLU6, nn.SiLU]:
            m.inplace = True


net = Net()
initialize_weights(net)
net.drop.p = 0.0
x = torch.sin(torch.arange(32.0)).view(2, 1, 4, 4)
print(net(x).sum().item(), net.bn.running_mean.sum().item())
net.eval()
print(net(x).sum().item())
for m in net.modules():
    if isinstance(m, nn.Dropout):
        m.p = 0.0
    if isinstance(m, nn.BatchNorm2d):
        m.momentum = 0.5
net.act.inplace = False
net.train()
print(net(x).sum().item(), net.bn.running_mean.sum().item())
