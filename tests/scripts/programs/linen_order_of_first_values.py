# also: nnx, linen
import torch
from torch import nn


def layer_init(layer, value=0.5):
    nn.init.constant_(layer.weight, value)
    nn.init.zeros_(layer.bias)
    return layer


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.25)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = layer_init(nn.Linear(3, 3))
        b = nn.Linear(3, 3)
        nn.init.constant_(b.weight, -0.5)
        nn.init.ones_(b.bias)
        self.b = b

    def forward(self, x):
        return self.a(x) - self.b(x) * 0.3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.apply(init)
        self.last = layer_init(nn.Linear(3, 1), 2.0)

    def forward(self, x):
        return self.last(self.block(x))


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = layer_init(nn.Linear(3, 3))
        nn.init.constant_(self.fc.weight, 0.1)

    def forward(self, x):
        return self.fc(x)


x = torch.linspace(-1, 1, 6).reshape(2, 3)
net = Net()
print(net.block.a.weight.sum().item(), net.block.b.bias.sum().item())
print(net(x).sum().item())
print(Block()(x).sum().item())
print(Twice()(x).sum().item())
