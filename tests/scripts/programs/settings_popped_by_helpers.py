# also: nnx, linen
"""Modules that are made with dicts, which they copy, or hand parts of on to what takes entries out."""

from copy import deepcopy

import torch
from torch import nn


def linear(settings, given):
    if not isinstance(settings, dict):
        raise TypeError("settings must be a dict")
    settings = settings.copy()
    width = settings.pop("width")
    return nn.Linear(given, width, **settings)


class Encoder(nn.Module):
    def __init__(self, settings):
        super().__init__()
        settings = settings.copy()
        width = settings.pop("width")
        self.fc = nn.Linear(3, width, **settings)

    def forward(self, x):
        return torch.tanh(self.fc(x))


class Net(nn.Module):
    def __init__(self, settings, head=None):
        super().__init__()
        self.encoder = Encoder(settings["encoder"])
        given = deepcopy(settings["middle"])
        width = given.pop("width")
        self.middle = nn.Linear(self.encoder.fc.out_features, width, **given)
        self.head = linear(head, width)

    def forward(self, x):
        return self.head(self.middle(self.encoder(x)))


net = Net({"encoder": {"width": 4, "bias": False}, "middle": {"width": 5}}, head={"width": 2, "bias": True})
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-0.5, 0.5, p.numel()).reshape(p.shape) + 0.1 * i)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 12).reshape(4, 3)
for _ in range(3):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
print(len(list(net.parameters())))
