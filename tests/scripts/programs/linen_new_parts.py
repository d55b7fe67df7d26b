# also: nnx, linen
import torch
from torch import nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            if p.abs().sum() > 0:
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * 0.5 + 0.01 * i)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        norm = nn.BatchNorm1d(dim)
        nn.init.zeros_(norm.weight)
        self.net = nn.Sequential(nn.Linear(dim, dim), norm)

    def forward(self, x):
        return x + self.net(x)


class Tower(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        layers = []
        for i in range(depth):
            conv = nn.Linear(dim, dim)
            nn.init.constant_(conv.weight, 0.1 * (i + 1))
            nn.init.zeros_(conv.bias)
            layers.append(conv)
            layers.append(nn.ReLU())
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


def head(dim, value):
    layer = nn.Linear(dim, 1)
    nn.init.constant_(layer.weight, value)
    layer.bias.data.fill_(0.25)
    return layer


class Net(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.block = Block(dim)
        self.tower = Tower(dim, 2)
        self.head = head(dim, 0.3)
        last = nn.Linear(dim, 2)
        last.weight.data.normal_(0, 0.02)
        last.weight.data.mul_(0).add_(0.5)
        last.bias.data.zero_()
        self.last = last

    def forward(self, x):
        h = self.tower(self.block(x))
        return self.head(h), self.last(h)


net = Net()
x = torch.linspace(-1, 1, 12).reshape(3, 4)
a, b = net(x)
print(a.sum().item(), b.sum().item())
opt = torch.optim.SGD(net.parameters(), lr=0.05)
fill(net)
for i in range(3):
    a, b = net(x)
    loss = (a**2).mean() + (b**2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(i, loss.item())
