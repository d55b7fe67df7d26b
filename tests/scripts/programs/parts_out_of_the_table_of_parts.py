# also: nnx, linen
"""Parts that modules add under computed names, in loops and in methods that call themselves, and read out of torch's table of parts."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class HourGlass(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.depth = depth
        self.width = width
        self._generate_network(self.depth)

    def _generate_network(self, level):
        self.add_module("b1_" + str(level), nn.Linear(self.width, self.width))
        self.add_module("b2_" + str(level), nn.BatchNorm1d(self.width))
        if level > 1:
            self._generate_network(level - 1)
        else:
            self.add_module("b2_plus_" + str(level), nn.Linear(self.width, self.width))
        self.add_module("b3_" + str(level), nn.Linear(self.width, self.width))

    def _forward(self, level, inp):
        up1 = inp
        up1 = self._modules["b1_" + str(level)](up1)
        low1 = self._modules["b2_" + str(level)](torch.tanh(inp))
        if level > 1:
            low2 = self._forward(level - 1, low1)
        else:
            low2 = low1
            low2 = self._modules["b2_plus_" + str(level)](low2)
        low3 = self._modules["b3_" + str(level)](low2)
        return up1 + torch.tanh(low3)

    def forward(self, x):
        return self._forward(self.depth, x)


class Pyramid(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels
        self.grow(levels)

    def grow(self, level):
        if level > 0:
            self.grow(level - 1)
            setattr(self, f"stage{level}", nn.Sequential(nn.Linear(4, 4), nn.ReLU()))

    def forward(self, x):
        for level in range(self.levels, 0, -1):
            x = getattr(self, f"stage{level}")(x)
        return x


class Stack(nn.Module):
    def __init__(self, modules, sizes):
        super().__init__()
        self.num = modules
        self.add_module("first", nn.Linear(4, 4))
        self.register_module(name="norm", module=nn.BatchNorm1d(4))
        for i in range(modules):
            self.add_module("m" + str(i), HourGlass(2, 4))
            self.add_module("bn%d" % i, nn.BatchNorm1d(4))
        self.MLP = nn.Sequential()
        for i, (in_size, out_size) in enumerate(zip(sizes[:-1], sizes[1:])):
            self.MLP.add_module(name="L{:d}".format(i), module=nn.Linear(in_size, out_size))
            if i + 2 < len(sizes):
                self.MLP.add_module(name="A{:d}".format(i), module=nn.ReLU())
            else:
                self.MLP.add_module(name="sigmoid", module=nn.Sigmoid())

    def forward(self, x):
        x = F.relu(self._modules["norm"]
                   (self._modules["first"](x)), True)  # fmt: skip
        for i in range(self.num):
            x = x + self._modules["bn%d" % i](self._modules["m" + str(i)](x))
        return self.MLP(x)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.3)


def fit(net):
    fill(net)
    x = torch.linspace(-1, 1, 12).reshape(3, 4)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        optimizer.zero_grad()
        loss = (net(x) - 1).pow(2).sum()
        loss.backward()
        optimizer.step()
        print(step, f"{loss.item():.4f}")
    for name, p in net.named_parameters():
        print(name, f"{p.abs().sum().item():.4f}")
    print({name: tuple(value.shape) for name, value in net.state_dict().items()})
    net.eval()
    print(f"{net(x).sum().item():.4f}")


fit(HourGlass(3, 4))
fit(Pyramid(3))
fit(Stack(2, [4, 5, 3, 2]))
