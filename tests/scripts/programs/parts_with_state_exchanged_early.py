# also: nnx
"""Parts with statistics that get others of their place while the whole is made, as a part of another module."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.fc = nn.Linear(i, o)
        self.bn = nn.BatchNorm1d(o)

    def forward(self, x):
        return torch.tanh(self.bn(self.fc(x)))


class Patched(Block):
    def forward(self, x):
        return torch.sigmoid(self.bn(self.fc(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(3, 4)
        self.second = Block(4, 4)

    def forward(self, x):
        return self.second(self.first(x))


def patched_net():
    net = Net()
    net.first = Patched(3, 4)
    net.second = Patched(4, 4)
    return net


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        net = patched_net()
        self.blocks = nn.ModuleList([nn.Sequential(net.first), nn.Sequential(net.second)])

    def forward(self, x):
        out = []
        for block in self.blocks:
            x = block(x)
            out.append(x)
        return out


class InPlace(nn.Module):
    def __init__(self):
        super().__init__()
        net = Net()
        net.second = Patched(4, 4)
        self.net = net
        self.other = Net()
        self.other.first = Patched(3, 4)

    def forward(self, x):
        return self.net(x) + self.other(x)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x)


def with_old_part(plain):
    net = Net()
    old = net.second
    net.second = Patched(4, 4)
    if plain:
        net.first = nn.Linear(3, 4)
        old = Plain()
    return nn.Sequential(net, old)


class Longer(nn.Module):
    def __init__(self, plain):
        super().__init__()
        self.net = with_old_part(plain)

    def forward(self, x):
        return self.net(x)


x = torch.sin(torch.arange(12.0)).reshape(4, 3)


def fill(made):
    with torch.no_grad():
        for i, p in enumerate(made.parameters()):
            p.copy_(torch.cos(torch.arange(float(p.numel())) + i).reshape(p.shape))


features = Features()
fill(features)
features(x)
features.eval()
print([y.sum().item() for y in features(x)], list(features.state_dict()))
in_place = InPlace()
fill(in_place)
in_place(x)
in_place.eval()
print(in_place(x).sum().item(), list(in_place.state_dict()))
longer = Longer(False)
fill(longer)
longer(x)
longer.eval()
print(longer(x).sum().item(), list(longer.state_dict()))
plain = Longer(True)
fill(plain)
plain(x)
plain.eval()
print(plain(x).sum().item(), list(plain.state_dict()))
