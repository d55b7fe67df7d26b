# also: nnx, linen
"""Sequences that grow by names or positions after they are made: in loops, in helpers and in classes that derive from them."""

import torch
from torch import nn


class Conv(nn.Module):
    def __init__(self, sizes, slim=False):
        super().__init__()
        self.depth = len(sizes)
        self.net = nn.Sequential()
        # all of them
        for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
            self.net.add_module("fc{}".format(i), nn.Linear(a, b))
            if not slim:
                self.net.add_module(f"norm{i}", nn.BatchNorm1d(b))
            self.net.add_module("act%d" % i, nn.Tanh())
        self.net.add_module("head", nn.Linear(sizes[-1], 2))
        self.slice1 = nn.Sequential()
        self.slice2 = torch.nn.Sequential()
        for x in range(2):
            self.slice1.add_module(str(x), nn.Linear(2, 2))
        for x in range(2, 4):
            self.slice2.add_module(str(x), nn.Linear(2, 2))
        more = nn.Sequential()
        more.append(nn.Linear(2, 2))
        for _ in range(2):
            more.append(nn.Tanh())
        self.more = more
        cnn = nn.Sequential()

        def block(i, last=False):
            cnn.add_module(f"b{i}", nn.Linear(2, 2))
            if last:
                cnn.add_module(f"relu{i}", nn.ReLU(True))

        block(0)
        block(1, True)
        self.cnn = cnn

    def forward(self, x):
        return self.cnn(self.more(self.slice2(self.slice1(self.net(x)))))


class Dense(nn.Sequential):
    def __init__(self, a, growth):
        super(Dense, self).__init__()
        self.add_module("norm1", nn.BatchNorm1d(a))
        self.add_module("relu1", nn.ReLU(inplace=True))
        self.add_module("lin1", nn.Linear(a, growth))
        self.rate = 0.5

    def forward(self, x):
        y = super(Dense, self).forward(x)
        return torch.cat([x, y], 1)


class Block(nn.Sequential):
    def __init__(self, n, a, growth):
        super().__init__()
        for i in range(n):
            layer = Dense(a + i * growth, growth)
            self.add_module("dense%d" % (i + 1), layer)


m = Conv([3, 4, 5])
d = Block(2, 3, 2)
print([n for n, _ in m.named_parameters()])
print([n for n, _ in d.named_parameters()])
for p in m.parameters():
    nn.init.constant_(p, 0.2)
for p in d.parameters():
    nn.init.constant_(p, 0.3)
x = torch.arange(12.0).view(4, 3).sin()
print(m(x).sum().item(), d(x).sum().item())
opt = torch.optim.SGD(list(m.parameters()), lr=0.1)
for i in range(3):
    loss = (m(x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(m.net.fc0.weight.sum().item(), len(m.net), len(m.more))
m.eval()
print(m(x).sum().item())
