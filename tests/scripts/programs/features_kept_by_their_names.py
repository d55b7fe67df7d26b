# also: nnx
"""Features that a loop over layers keeps on the way, by the names of layers, or in a dict: a ReLU in place changes what has been kept of
the convolution in front of it.
"""

import torch
from torch import nn


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) + i).reshape(p.shape) * 0.5)
    return net


def make_layers(cfg):
    layers = []
    width = 2
    for v in cfg:
        if v == "M":
            layers += [nn.MaxPool1d(2)]
        else:
            layers += [nn.Conv1d(width, v, 3, padding=1), nn.ReLU(inplace=True)]
            width = v
    return nn.Sequential(*layers)


class Model(nn.Module):
    def __init__(self, features, width=4):
        super().__init__()
        self.features = features
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.features(x).mean(2))


def small(**kwargs):
    return Model(make_layers([3, 4, "M", 4]), **kwargs)


class Named(nn.Module):
    """Of convolutions: these are changed."""

    def __init__(self):
        super().__init__()
        self.select = ["0", "2", "5"]
        self.model = small().features

    def forward(self, x):
        features = []
        for name, layer in self.model._modules.items():
            x = layer(x)
            if name in self.select:
                features.append(x)
        return features


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(2, 3, 1), nn.ReLU6(inplace=True), nn.Conv1d(3, 2, 1), nn.ReLU(True))
        self.names = {"0": "first", "2": "second"}

    def forward(self, x):
        outs = {}
        last = []
        for name, layer in self.layers.named_children():
            x = layer(x)
            if name in self.names:
                outs[self.names[name]] = x
            if name == "3":
                last.append(x)
        return [outs["first"], outs["second"], *last]


for cls in (Named, Table):
    net = fill(cls())
    x = torch.cos(torch.arange(16.0)).reshape(1, 2, 8) - 0.3
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        outs = net(x)
        loss = sum((i + 1) * (out * out).mean() for i, out in enumerate(outs[1:]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(cls.__name__, loss.item(), [out.sum().item() for out in outs], x.sum().item())
