# also: nnx, linen
"""An object that a trainer keeps says what a loss counts for, without a call: a property, an entry, an operator, a length."""

import torch
from torch import nn


class Schedule:
    def __init__(self):
        self.time = 0

    def update(self):
        self.time += 1

    @property
    def value(self):
        return 0.5**self.time

    def __getitem__(self, name):
        return self.value * 2

    def __mul__(self, other):
        return other * self.value

    def __contains__(self, name):
        return self.time > 1

    def __len__(self):
        return self.time

    def __iter__(self):
        return iter([self.value, 1.0])


class Valued:
    def __init__(self, net):
        self.net = net
        self.schedule = Schedule()
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05)

    def scale(self):
        return self.schedule.value

    def step(self, x):
        loss = (self.net(x) - 1).pow(2).mean() * self.scale()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.schedule.update()
        return loss.item()


class Entered:
    def __init__(self, net):
        self.net = net
        self.schedule = Schedule()
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05)

    def scale(self):
        return self.schedule["w"]

    def step(self, x):
        loss = (self.net(x) - 1).pow(2).mean() * self.scale()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.schedule.update()
        return loss.item()


class Multiplied:
    def __init__(self, net):
        self.net = net
        self.schedule = Schedule()
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05)

    def scale(self):
        return self.schedule * 2.0

    def step(self, x):
        loss = (self.net(x) - 1).pow(2).mean() * self.scale()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.schedule.update()
        return loss.item()


class Asked:
    def __init__(self, net):
        self.net = net
        self.schedule = Schedule()
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05)

    def scale(self):
        return 2.0 if "w" in self.schedule else 1.0

    def step(self, x):
        loss = (self.net(x) - 1).pow(2).mean() * self.scale()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.schedule.update()
        return loss.item()


class Counted:
    def __init__(self, net):
        self.net = net
        self.schedule = Schedule()
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05)

    def scale(self):
        return 1.0 / (1 + len(self.schedule))

    def step(self, x):
        loss = (self.net(x) - 1).pow(2).mean() * self.scale()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.schedule.update()
        return loss.item()


class Summed:
    def __init__(self, net):
        self.net = net
        self.schedule = Schedule()
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05)

    def scale(self):
        return sum(self.schedule)

    def step(self, x):
        loss = (self.net(x) - 1).pow(2).mean() * self.scale()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.schedule.update()
        return loss.item()


x = torch.linspace(-1, 1, 12).view(4, 3)
net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.constant_(net.bias, 0.1)
valued = Valued(net)
print([round(valued.step(x), 5) for _ in range(4)])
net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.constant_(net.bias, 0.1)
entered = Entered(net)
print([round(entered.step(x), 5) for _ in range(4)])
net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.constant_(net.bias, 0.1)
multiplied = Multiplied(net)
print([round(multiplied.step(x), 5) for _ in range(4)])
net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.constant_(net.bias, 0.1)
asked = Asked(net)
print([round(asked.step(x), 5) for _ in range(4)])
net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.constant_(net.bias, 0.1)
counted = Counted(net)
print([round(counted.step(x), 5) for _ in range(4)])
net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.3)
nn.init.constant_(net.bias, 0.1)
summed = Summed(net)
print([round(summed.step(x), 5) for _ in range(4)])
