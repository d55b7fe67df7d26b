# also: nnx
"""Classes that stand in front of layers and go on to them: by a name of their own, with constants, below further classes."""

import torch
from torch import nn


class Bottle(nn.Module):
    def forward(self, input):
        if len(input.size()) <= 2:
            return super(Bottle, self).forward(input)
        size = input.size()[:2]
        out = super(Bottle, self).forward(input.view(size[0] * size[1], -1))
        return out.view(size[0], size[1], -1)


class Linear(Bottle, nn.Linear):
    pass


class Norm(Bottle, nn.BatchNorm1d):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Linear(3, 5)
        self.norm = Norm(5)
        self.b = nn.Sequential(nn.ReLU(), Linear(5, 1))

    def forward(self, x):
        return self.b(self.norm(self.a(x)))


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32).view(p.shape) * 0.7) * 0.3)
x = torch.arange(24, dtype=torch.float32).view(2, 4, 3) / 10
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    loss = net(x).pow(2).mean() + net(x[0]).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(sorted(net.state_dict()))


class Scaled:
    factor = 2.0

    def forward(self, x):
        return super().forward(x) * self.factor


class Clamped(nn.Module):
    def forward(self, x):
        y = super().forward(x)
        return y.clamp(-self.limit, self.limit)

    def extra(self):
        return self.limit + 1


class ScaledConv(Scaled, nn.Conv1d):
    pass


class Layer(Clamped, nn.Linear):
    def __init__(self, size, limit):
        super().__init__(size, size)
        self.limit = limit


class Half(Layer):
    factor = 0.5

    def forward(self, x):
        return super().forward(x) * self.factor


conv, layer, half = ScaledConv(2, 3, 2), Layer(4, 0.3), Half(4, 0.2)
with torch.no_grad():
    for m in (conv, layer, half):
        for p in m.parameters():
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32).view(p.shape) * 0.7) * 0.3)
x = torch.arange(16, dtype=torch.float32).view(2, 2, 4) / 10
print(conv(x).sum().item(), layer(x).sum().item(), half(x).sum().item(), layer.extra(), conv.factor)
