# also: nnx, linen
"""Features that a loop over layers keeps on the way, by number or all of them: a ReLU in place changes what has been kept of
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


class Numbered(nn.Module):
    """Of activations: nothing is changed."""

    def __init__(self):
        super().__init__()
        self.features = make_layers([3, 4, "M", 4])

    def forward(self, x):
        outs = []
        for i, layer in enumerate(self.features):
            x = layer(x)
            if i in (1, 3, 6):
                outs.append(x)
        return outs


class Chosen(nn.Module):
    def __init__(self, kept=(0, 3)):
        super().__init__()
        self.kept = kept
        self.features = nn.ModuleList(
            [nn.Conv1d(2, 3, 1), nn.ReLU(inplace=True), nn.Conv1d(3, 3, 1), nn.LeakyReLU(0.1, inplace=True)]
        )

    def forward(self, x):
        kept = list()
        for i, layer in enumerate(self.features):
            x = layer(x)
            if i in self.kept:
                kept.append(x)
        kept[0] = kept[0] * 2
        return kept


class All(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(2, 3, 1), nn.ReLU(inplace=True), nn.Conv1d(3, 3, 1), nn.ELU(inplace=True))

    def forward(self, x):
        outs = []
        for layer in self.layers:
            x = layer(x)
            outs.append(x)
        return outs


class Indexed(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = make_layers([3, 4, "M", 4])

    def forward(self, x):
        outs = []
        for i in range(len(self.features)):
            x = self.features[i](x)
            if i == 2 or i == 5:
                outs.append(x)
        return outs


class Enough(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = make_layers([3, 4, "M", 4])

    def forward(self, x):
        return self.run(x, [0, 2, 4])

    def run(self, x, wanted):
        outs = []
        for i, layer in enumerate(self.features):
            x = layer(x)
            if i in wanted:
                outs.append(x)
            if len(outs) == len(wanted):
                break
        return outs


for cls in (Numbered, Chosen, All, Indexed, Enough):
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
