"""Loops over the parts of a module that change them: the module gets its new parts; or the loop is reported."""

import torch
import torch.nn as nn


def init_layer(layer, gain=1.0):
    if isinstance(layer, nn.Linear):
        nn.init.constant_(layer.weight, gain)
        layer.bias.data.zero_()


class Tower(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for i in range(depth)])
        for layer in self.layers:
            nn.init.constant_(layer.weight, 0.25)
            nn.init.zeros_(layer.bias)
        self.body = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3))
        for i, layer in enumerate(self.body):
            if isinstance(layer, nn.Linear):
                layer.weight.data.fill_(0.1 * (i + 1))
                layer.bias.data.fill_(0.5)

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.tanh(layer(x))
        return self.body(self.layers[-1](x))


class ByFunctions(Tower):
    def __init__(self):
        super().__init__()
        for layer in self.layers:
            init_layer(layer, 0.3)
        for layer in self.body.children():
            init_layer(layer, gain=0.2)
        for layer in reversed(self.layers):
            self._shift(layer)

    def _shift(self, layer):
        with torch.no_grad():
            layer.bias += 1


def case_made_with_them(x):
    return Tower()(x), ByFunctions()(x)


def case_from_outside(x):
    model = Tower()
    for layer in model.layers:
        layer.weight.data.clamp_(-0.2, 0.2)
    for layer in model.layers[1:]:
        layer.bias.data[0] = 3.0
    for i, layer in enumerate(model.body):
        if i != 1:
            init_layer(layer, 0.5)
    return model(x), model.layers[2].bias.detach()


# unchanged
def case_only_read(x):
    total = 0
    for i in range(3):
        total = total + i
    return x * total


def case_nested(x):
    model = nn.ModuleList([nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3)) for _ in range(2)])
    for block in model:
        for layer in block:
            nn.init.constant_(layer.weight, 0.5)
            nn.init.constant_(layer.bias, 0.25)
    for block in model:
        x = block(x)
    return x


class Refused(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.head = nn.Linear(3, 3)
        for layer in [self.head, self.layers[0]]:  # T2J303
            init_layer(layer)
        for left, right in zip(self.layers[:-1], self.layers[1:]):  # T2J303
            init_layer(left)

    def forward(self, x):
        return self.head(self.layers[0](x))


def case_refused(x):
    model = Refused()
    for layer in model.layers[1:]:
        last = layer  # T2J303
        init_layer(last)
    return model(x)
