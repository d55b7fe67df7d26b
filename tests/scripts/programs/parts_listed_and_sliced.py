# also: nnx, linen
"""Lists of a module's own parts, slices of its sequences and second names for parts, made by __init__ beside the parts."""

import torch
import torch.nn as nn


class Dense(nn.Module):
    def __init__(self, filters, scale=0.2):
        super().__init__()
        self.scale = scale

        def block(n, act=True):
            layers = [nn.Conv2d(n, filters, 3, 1, 1)]
            if act:
                layers += [nn.LeakyReLU()]
            return nn.Sequential(*layers)

        self.b1 = block(1 * filters)
        self.b2 = block(2 * filters)
        self.b3 = block(3 * filters, act=False)
        self.blocks = [self.b1, self.b2, self.b3]

    def forward(self, x):
        inputs = x
        for block in self.blocks:
            out = block(inputs)
            inputs = torch.cat([inputs, out], 1)
        return out.mul(self.scale) + x


class Backbone(nn.Module):
    def __init__(self, n):
        super().__init__()
        layers = [nn.Conv2d(1, n, 3)]
        for _ in range(3):
            layers.append(nn.BatchNorm2d(n))
            layers.append(nn.ReLU())
        self.features = nn.Sequential(*layers)
        self.low_level = self.features[0:3]
        self.high_level = self.features[3:]

    def forward(self, x):
        low = self.low_level(x)
        return self.high_level(low), low


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone(2)
        self.dense = Dense(2)
        self.heads = (self.dense, self.backbone)

    def forward(self, x):
        y, low = self.backbone(x)
        return (self.dense(y) + low).mean((1, 2, 3))


def fill(net):
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + k).view(p.shape))


net = Net()
fill(net)
x = torch.cos(torch.arange(128.0)).view(2, 1, 8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(3):
    loss = (net(x) - 1).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(len(net.heads), len(net.dense.blocks), sum(p.numel() for p in net.parameters()))
net.eval()
print(net(x).tolist())
print([name for name, _ in net.dense.named_parameters()])
