"""Methods that give parameters of parts other values, called on all members of a list, in `__init__` and behind it."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return x + self.norm(self.fc(x))


class Stage(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.blocks = nn.ModuleList([Block(dim) for _ in range(depth)])

    def forward(self, x):
        for blk in self.blocks:
            x = blk(x)
        return x

    def _init_norms(self):
        for blk in self.blocks:
            nn.init.constant_(blk.norm.weight, 0)
            nn.init.constant_(blk.norm.bias, 0.5)


class Net(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.layers = nn.ModuleList()
        for i in range(2):
            stage = Stage(dim, 2)
            self.layers.append(stage)
        self.apply(self._init_weights)
        for stage in self.layers:
            stage._init_norms()

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.eye_(m.weight)
            nn.init.constant_(m.bias, 0.1)
        elif isinstance(m, nn.LayerNorm):
            nn.init.constant_(m.bias, 0)
            nn.init.constant_(m.weight, 1.0)

    def shift_all(self):
        for stage in self.layers:
            stage._init_norms()
        nn.init.constant_(self.layers[0].blocks[0].norm.weight, 0.25)

    def forward(self, x):
        for stage in self.layers:
            x = stage(x)
        return x


net = Net()
net.shift_all()
x = torch.linspace(-1, 1, 12).view(3, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
for name, p in net.named_parameters():
    print(name, f"{p.sum().item():.4f}")
