"""Tables that decorators fill: activations, layers of which some have no parameters, and layers with state."""

import torch
import torch.nn as nn
import torch.nn.functional as F

ACTS = {}
LAYERS = dict()


def register(table, name=None):
    def deco(obj):
        table[name or obj.__name__] = obj
        return obj

    return deco


def register_act(fn):
    ACTS[fn.__name__] = fn
    return fn


def register_layer(name):
    def deco(cls):
        assert name not in LAYERS
        LAYERS[name] = cls
        return cls

    return deco


@register_act
def swish(x):
    return x * torch.sigmoid(x)


@register_act
def noisy(x):
    return F.dropout(x, 0.0)


@register_layer("bare")
class Bare(nn.Module):
    def forward(self, x):
        return x * 2


@register_layer("fc")
class FC(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self, act, layer):
        super().__init__()
        self.act = ACTS[act]
        self.layer = LAYERS[layer]()

    def forward(self, x):
        return self.act(self.layer(x))


for act in ("swish", "noisy"):
    for layer in ("bare", "fc"):
        net = Net(act, layer)
        with torch.no_grad():
            for p in net.parameters():
                p.fill_(0.3)
        print(act, layer, round(net(torch.ones(2, 3)).sum().item(), 4))
