# also: nnx, linen
"""Models are given lists and dicts, which they copy, change, add to others, and ask for their types."""

import copy
import json

import torch
from torch import nn


class Mlp(nn.Module):
    def __init__(self, sizes, widths=None):
        super().__init__()
        if isinstance(sizes, list):
            sizes = sizes + [1]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.kind = type(sizes).__name__

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class FromDict(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        cfg = copy.deepcopy(cfg)
        kind = cfg.pop("kind")
        self.cfg = cfg
        self.kind = kind
        self.fc = nn.Linear(**cfg)

    def forward(self, x):
        return self.fc(x)


class Popping(nn.Module):
    def __init__(self, **kwargs):
        super().__init__()
        self.scale = kwargs.pop("scale", 2.0)
        self.fc = nn.Linear(**kwargs)

    def forward(self, x):
        return self.fc(x) * self.scale


class Updating(nn.Module):
    def __init__(self, options):
        super().__init__()
        options = dict(options)
        options.update(bias=False)
        self.options = options
        self.is_dict = isinstance(options, dict)
        self.fc = nn.Linear(**options)

    def forward(self, x):
        return self.fc(x)


class Keeping(nn.Module):
    def __init__(self, options, sizes):
        super().__init__()
        self.options = options.copy()
        self.options["scale"] = 2.0
        self.sizes = list(sizes)
        self.sizes.append(5)
        self.all = [1] + sizes
        self.fc = nn.Linear(2, sizes[-1])

    def forward(self, x):
        scale = len(self.sizes + [3])
        return (
            self.fc(x) * self.options["scale"] * scale,
            self.all,
            isinstance(self.sizes, list),
            isinstance(self.options, dict),
        )


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.5)
    return net


class Options(dict):
    """A dict whose entries are attributes, too."""

    __getattr__ = dict.__getitem__


class Configured(nn.Module):
    def __init__(self, cfg, scale=1.0):
        super().__init__()
        self.cfg = cfg
        self.fc = nn.Linear(cfg.in_features, cfg.sizes[-1])
        self.scale = scale

    def forward(self, x):
        return self.fc(x) * self.scale * len(self.cfg.sizes)


config = json.loads(
    """{"sizes": [2, 3], "linear": {"in_features": 2, "out_features": 3},
    "kinds": {"kind": "a", "in_features": 2, "out_features": 3}}"""
)
x = torch.ones(1, 2)
net = fill(Mlp(config["sizes"]))
print(net(x).tolist(), net.kind)
net = fill(FromDict(config["kinds"]))
print(net(x).tolist(), net.kind, net.cfg["in_features"], config["kinds"]["kind"])
print(fill(Popping(**config["linear"]))(x).tolist())
net = fill(Updating(config["linear"]))
print(net(x).tolist(), net.is_dict)
out, *rest = fill(Keeping(config["linear"], config["sizes"]))(x)
print(out.tolist(), rest, config["sizes"], len(config["linear"]))
net = fill(Configured(Options(in_features=2, sizes=[2, 4]), scale=0.5))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = net(x).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), net.cfg.sizes)
