# also: nnx
"""Classes that derive from nn.Sequential, add their layers by name and call the forward of their base, in the way of DenseNet."""

import torch
import torch.nn as nn


class DenseLayer(nn.Sequential):
    def __init__(self, cin, growth):
        super().__init__()
        self.add_module("norm", nn.BatchNorm2d(cin))
        self.add_module("relu", nn.ReLU(True))
        self.add_module("conv", nn.Conv2d(cin, growth, 3, padding=1))

    def forward(self, x):
        return torch.cat([x, super().forward(x)], 1)


class Down(nn.Sequential):
    def __init__(self, cin, cout):
        super(Down, self).__init__()
        self.add_module("conv", nn.Conv2d(cin, cout, 1))
        self.add_module("pool", nn.MaxPool2d(2))

    def forward(self, x):
        return super(Down, self).forward(x)


class Block(nn.Sequential):
    def __init__(self, n, cin, growth):
        super().__init__()
        for i in range(n):
            self.add_module("layer%d" % (i + 1), DenseLayer(cin + i * growth, growth))


net = nn.Sequential(Block(2, 3, 2), Down(7, 4))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)
x = torch.linspace(-1, 1, 2 * 3 * 8 * 8).reshape(2, 3, 8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
net.eval()
print(net(x).sum().item(), sorted(net.state_dict()))
