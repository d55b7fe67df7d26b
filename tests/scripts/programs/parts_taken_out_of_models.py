# also: nnx
"""Parts that constructors take out of models which they make themselves, each of them a field of its own."""

import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 1)
        self.bn1 = nn.BatchNorm2d(4)
        self.layers = nn.Sequential(nn.Conv2d(4, 4, 1), nn.ReLU(), nn.Conv2d(4, 4, 1))
        self.fc = nn.Linear(4, 4)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.05 * scale * (i + 1))

    def forward(self, x):
        return self.fc(self.layers(self.bn1(self.conv1(x))).mean((2, 3)))


class Encoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        if size == "small":
            base = Base(1.0)
        elif size == "large":
            base = Base(0.5).eval()
        else:
            raise ValueError(size)
        self.stem = base.conv1
        self.norm = base.bn1
        self.first, self.last = base.layers[0], base.layers[2]
        self.width = base.fc.in_features
        self.head = nn.Linear(self.width, 2)
        nn.init.constant_(self.head.weight, 0.3)
        nn.init.constant_(self.head.bias, 0.1)

    def forward(self, x):
        return self.head(self.last(self.first(self.norm(self.stem(x))).relu()).mean((2, 3)))


def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    x = torch.arange(48.0).reshape(1, 3, 4, 4) / 10
    batch = torch.cat([x, x.cos(), x.sin()])
    for _ in range(3):
        optimizer.zero_grad()
        loss = net(batch).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 3))
    print(list(net.state_dict()))


train(Encoder("small"))
train(Encoder("large"))
