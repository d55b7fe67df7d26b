import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.scale = nn.Parameter(torch.ones(2))

    def init_weights(self, value):
        self.fc.weight.data.fill_(value)
        with torch.no_grad():
            self.scale.mul_(value)

    def forward(self, x):
        return self.fc(x) * self.scale


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.net.init_weights(0.25)

    def forward(self, x):
        return self.net(x)


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict(dict(positions=nn.Embedding(8, 4), head=nn.Linear(4, 2)))

    def crop(self, n):
        self.parts.positions.weight = nn.Parameter(self.parts.positions.weight[:n])

    def forward(self, i):
        return self.parts.head(self.parts.positions(i))


table = Table()
table.crop(4)
print(table.parts.positions.weight.shape, table(torch.tensor([0, 3])).shape)
net = Net()
net.init_weights(0.5)
print(net.fc.weight.tolist())


net.init_weights(0.25)
print(net.fc.weight.tolist(), net.scale.tolist())
outer = Outer()
print(outer.net.fc.weight.tolist())
