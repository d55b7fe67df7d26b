# also: nnx, linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        a = nn.Linear(3, 3)
        b = nn.Linear(3, 1)
        for layer in [a, b]:
            nn.init.constant_(layer.weight, 0.25)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
        self.net = nn.Sequential(a, nn.Tanh(), b)
        blocks = []
        for i in range(2):
            block = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))
            nn.init.constant_(block[0].weight, 0.1 * (i + 1))
            nn.init.constant_(block[-1].weight, 0.2)
            block[0].bias.data.fill_(0.5)
            nn.init.zeros_(block[2].bias)
            blocks.append(block)
        self.blocks = nn.ModuleList(blocks)
        self.pair = self.make(3, 0.3)

    def make(self, dim, std):
        fc = nn.Linear(dim, dim)
        fc.weight.data.normal_(0.0, std)
        fc.weight.data.clamp_(0.2, 0.2)
        torch.nn.init.uniform_(fc.bias, -0.1, 0.1)
        fc.bias.data = torch.full_like(fc.bias, 0.4)
        bn = nn.BatchNorm1d(dim)
        bn.weight.data.fill_(2.0)
        return nn.Sequential(fc, bn)

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return self.net(self.pair(x))


def conv_block(c_in, c_out, std=0.1):
    conv = nn.Conv2d(c_in, c_out, 3, padding=1)
    nn.init.normal_(conv.weight, 0, std)
    nn.init.kaiming_normal_(conv.weight)
    nn.init.constant_(conv.weight, 0.1)
    nn.init.constant_(conv.bias, 0.0)
    bn = nn.BatchNorm2d(c_out)
    nn.init.constant_(bn.weight, 1.5)
    return nn.Sequential(conv, bn, nn.ReLU())


def lone(dim):
    layer = nn.Linear(dim, 2)
    nn.init.normal_(layer.weight)
    nn.init.constant_(layer.weight, 0.3)
    nn.init.zeros_(layer.bias)
    return nn.Sequential(layer, nn.Tanh())


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv_block(1, 2), conv_block(2, 2))
        self.up = nn.ConvTranspose2d(2, 1, 2, bias=False)
        m = self.up
        self.lone = lone(4)
        m.weight.data.fill_(0.2)

    def forward(self, x):
        return self.lone(self.up(self.body(x))[..., :4])


x = torch.linspace(-1, 1, 6).reshape(2, 3)
print(Net()(x).sum().item())
net = Net().eval()
print(net(x).sum().item())
net = Conv()
print(net(torch.linspace(-1, 1, 16).reshape(1, 1, 4, 4)).sum().item())
print(lone(3)(x).sum().item())
