"""Buffers of parts that have second names: what is loaded into them would not be seen there."""

import torch
import torch.nn as nn


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        return x * self.scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.scale = self.inner.scale

    def forward(self, x):
        return self.inner(x) * self.scale


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.own = Inner()

    def forward(self, x):
        return self.own(self.net(x))


saved = Inner()
saved.load_state_dict({"scale": torch.zeros(3)})
net = Net()
net.load_state_dict({"inner.scale": torch.zeros(3)})  # T2J303
whole = Whole()
whole.load_state_dict(whole.state_dict())  # T2J303
