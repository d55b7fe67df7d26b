# flagged: T2J606
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


net = Net()
other = net
net.init_weights(0.5)
print(other.fc.weight.tolist())


def prepare(model, value):
    model.init_weights(value)
    return model


net = prepare(net, 0.125)
print(net.fc.weight.tolist(), net.scale.tolist())
outer = Outer()
print(outer.net.fc.weight.tolist())
