"""Numbers, texts and None that modules keep are given other values from outside: by a variable, a function, a loop, an object."""

import torch
from torch import nn


class Noise(nn.Module):
    def __init__(self, momentum=0.5, kind="plain"):
        super().__init__()
        self.momentum = momentum
        self.kind = kind
        self.noise = None

    def forward(self, x):
        x = x * self.momentum
        if self.noise is not None:
            x = x + self.noise
        if self.kind == "squared":
            x = x * x
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 2)
        self.drop = nn.Dropout(0.5)
        self.noise = Noise()
        self.scale = 2.0
        self.flag = True

    def forward(self, x):
        x = self.noise(self.drop(self.head(x)))
        return x * self.scale if self.flag else x


def quiet(net, rate):
    net.drop.p = rate
    net.scale = 3.0


class Trainer:
    def __init__(self):
        self.net = Net()
        self.net.drop.p = 0.0

    def change(self):
        self.net.scale = 4.0
        self.net.noise.momentum = 2


def main():
    net = Net()
    for p in net.parameters():
        nn.init.constant_(p, 0.5)
    net.drop.p = 0.0
    print(net(torch.ones(3)).tolist())
    net.scale = 3.0
    print(net(torch.ones(3)).tolist(), net.drop.p, net.scale)
    net.noise.noise = 0.25
    print(net(torch.ones(3)).tolist())
    net.noise.noise = None
    net.noise.kind = "squared"
    print(net(torch.ones(3)).tolist())
    setattr(net, "flag", False)
    print(net(torch.ones(3)).tolist())
    quiet(net, 0.0)
    print(net(torch.ones(3)).tolist())


net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.5)
for m in net.modules():
    if isinstance(m, nn.Dropout):
        m.p = 0.0
    elif isinstance(m, Noise):
        m.momentum = 0.75
print(net(torch.ones(3)).tolist())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    net.scale = 1.0 + i
    loss = net(torch.ones(3)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
main()
trainer = Trainer()
nn.init.constant_(trainer.net.head.weight, 0.5)
nn.init.constant_(trainer.net.head.bias, 0.5)
print(trainer.net(torch.ones(3)).tolist())
trainer.change()
print(trainer.net(torch.ones(3)).tolist())
