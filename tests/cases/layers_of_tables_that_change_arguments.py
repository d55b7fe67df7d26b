"""Layers that change their argument in place, which a table of classes and functions makes, and an argument that is read later."""

import torch.nn as nn


class Swish(nn.Module):
    def __init__(self, inplace=False):
        super().__init__()

    def forward(self, x):
        return x * x.sigmoid()


def leaky():
    return nn.LeakyReLU(0.1, inplace=True)


def act_layer(name):
    return {"relu": lambda: nn.ReLU(inplace=True), "leaky": leaky, "tanh": nn.Tanh}[name]()


ACTIVATIONS = {"elu": lambda inplace=False: nn.ELU(1.0, inplace), "sigmoid": nn.Sigmoid}
OTHERS = {"swish": Swish, "relu": nn.ReLU}


class Block(nn.Module):
    def __init__(self, act, other, asked, options={"inplace": True}):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = act_layer(act)
        self.other = OTHERS[other](inplace=True)
        self.last = ACTIVATIONS[act](inplace=True)
        self.asked = getattr(nn, asked)(**options)

    def forward(self, x):
        h = self.fc(x)
        y = self.act(h)  # T2J302
        h = self.fc(h + y)
        y = self.other(h)  # T2J302
        h = self.fc(h + y)
        y = self.last(h)  # T2J302
        h = self.fc(h + y)
        return self.asked(h) + h  # T2J302


net = nn.Sequential(Block("relu", "relu", "LeakyReLU"), Block("elu", "swish", "ReLU", {}))
