# also: nnx
"""Settings of which nothing says what they are (keywords, options, namespaces, texts in tables) may be tensors, alone or in
dicts: no optimizer trains them, and no state dict has them."""

import argparse
from types import SimpleNamespace

import torch
import torch.nn as nn


class Scaled(nn.Module):
    def __init__(self, dim, scale=None, **options):
        super().__init__()
        self.fc = nn.Linear(dim, 2)
        self.scale = scale
        self.shift = options.get("shift")

    def forward(self, x):
        y = self.fc(x)
        if self.scale is not None:
            y = y * self.scale
        return y if self.shift is None else y + self.shift


class Around(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.inner = Scaled(**options)
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.inner(x))


class Configured(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.factor = cfg.factor

    def forward(self, x):
        y = self.fc(x)
        return y if self.factor is None else y * self.factor


class Tabled(nn.Module):
    def __init__(self, tables):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.tables = tables

    def forward(self, x):
        y = self.fc(x)
        for table in self.tables.values():
            y = y * table
        return y


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)


def train(net):
    fill(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.cos(torch.arange(12.0)).reshape(3, 4)
    for step in range(2):
        opt.zero_grad()
        loss = (net(x) - 1).pow(2).mean()
        loss.backward()
        opt.step()
        print(step, loss.item())
    print([name for name, _ in net.named_parameters()], list(net.state_dict()))


def settings_of(name):
    table = {
        "plain": dict(dim=4),
        "scaled": dict(dim=4, scale=torch.tensor([1.0, 2.0])),
        "both": dict(dim=4, scale=0.5, shift=torch.ones(2)),
    }
    return table[name]


def config_of(name):
    cfg = SimpleNamespace(factor=None)
    if name == "scaled":
        cfg.factor = torch.tensor([1.0, 2.0])
    return cfg


for name in ["plain", "scaled", "both"]:
    train(Scaled(**settings_of(name)))
    train(Around(**settings_of(name)))
for name in ["plain", "scaled"]:
    train(Configured(config_of(name)))

args = argparse.ArgumentParser().parse_args([])
args.factor = torch.arange(1.0, 3.0)
train(Configured(args))

tabled = {
    "one": dict(tables={"a": torch.tensor([1.0, 2.0]), "b": torch.tensor([0.5, 0.25])}),
    "two": dict(tables={"a": torch.ones(2) * 2}),
}
for name in tabled:
    train(Tabled(**tabled[name]))
