# also: nnx linen
"""Settings as attributes of classes, read by the name of the class; classes of layers have such attributes, too."""

from enum import Enum
import torch
from torch import nn


class Mode(Enum):
    SMALL = 1
    BIG = 2


class Config:
    lr = 0.1
    steps = 3
    sizes = [4, 3]
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dtype = torch.float32
    debug = False
    name = "run"


class Block(nn.Module):
    expansion = 2

    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width * self.expansion)

    def forward(self, x):
        return self.fc(x)


class Wide(Block):
    expansion = 3


Config.lr = 0.05
Config.debug = True


def build(block, mode=Mode.SMALL):
    net = nn.Sequential(block(4), nn.ReLU(), nn.Linear(4 * block.expansion, 1)).to(Config.device)
    if mode == Mode.BIG:
        net = nn.Sequential(net, nn.Linear(1, 1))
    return net


for block in (Block, Wide):
    net = build(block)
    for i, p in enumerate(net.parameters()):
        p.data = torch.linspace(-1.0, 1.0, p.numel(), dtype=Config.dtype).reshape(p.shape) + 0.1 * i
    optimizer = torch.optim.SGD(net.parameters(), lr=Config.lr)
    x = torch.ones(2, 4, device=Config.device, dtype=Config.dtype) / 3
    for step in range(Config.steps):
        optimizer.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        if Config.debug:
            print(Config.name, step, loss.item())
print(Mode.SMALL.value, build(Wide, Mode.BIG)(x).shape, Config.sizes[0])
