# also: nnx
import torch
from torch import nn


def fill_(layer, value):
    layer.weight.data.fill_(value)
    nn.init.zeros_(layer.bias)


def squashed(n):
    linear = nn.Linear(n, n)
    net = nn.Sequential(linear, nn.Tanh())
    nn.init.constant_(linear.weight, 0.5)
    nn.init.constant_(linear.bias, 0.1)
    return net


class Upsample(nn.Module):
    def __init__(self, dim, factor=2):
        super().__init__()
        conv = nn.Conv2d(dim, dim * factor**2, 1)
        self.net = nn.Sequential(conv, nn.SiLU(), nn.PixelShuffle(factor))
        self.fill(conv)

    def fill(self, conv):
        o, i, h, w = conv.weight.shape
        conv.weight.data.copy_(torch.linspace(-1, 1, o * i).reshape(o, i, h, w))
        nn.init.zeros_(conv.bias.data)

    def forward(self, x):
        return self.net(x)


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, n), nn.ReLU(), nn.Linear(n, n))
        first, last = nn.Linear(n, n), nn.Linear(n, n)
        self.ends = nn.ModuleList([first, last])
        for layer in (first, last):
            nn.init.constant_(layer.weight, 0.2)
            nn.init.constant_(layer.bias, 0.1)
        top = self.body[-1]
        with torch.no_grad():
            top.weight.fill_(0.4)
            top.bias.copy_(top.weight.sum(1))
        bottom = self.body[0]
        fill_(bottom, 0.3)
        gate = nn.Linear(n, n)
        fill_(gate, 0.6)
        self.gate = gate
        gate.bias.data.add_(gate.weight[0])
        self.squash = squashed(n)

    def forward(self, x):
        x = self.ends[1](self.ends[0](x))
        return self.squash(self.body(x) * torch.sigmoid(self.gate(x)))


class Stack(nn.Module):
    def __init__(self, n, depth):
        super().__init__()
        self.blocks = nn.ModuleList([Block(n) for _ in range(depth)])
        for block in self.blocks:
            gate = block.gate
            nn.init.constant_(gate.weight, 0.7)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


print(Upsample(2)(torch.arange(16.0).reshape(1, 2, 2, 4) / 16).sum().item())
model = Stack(3, 2)
head = model.blocks[0].gate
nn.init.constant_(head.bias, -0.5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 12).reshape(4, 3)
for _ in range(3):
    loss = (model(x) - 0.3).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5), round(head.weight.sum().item(), 4))
