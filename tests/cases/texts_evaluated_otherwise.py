"""Texts that are evaluated and name something of torch, where more than its name may follow."""

import torch
from torch import nn


def activation(text):
    return eval("nn." + text)  # T2J200


def layer(kind, dim):
    found = eval(f"torch.nn.{kind}{dim}d")  # T2J200
    return found(3, 3)


def local(nn):
    return eval("nn.size")


def plain(text, args):
    return eval(text), eval("args." + text)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 2)

    def forward(self, x):
        for i in range(1, 2):
            x = eval(f"self.fc{i}(x)")  # T2J200
            x = eval("self.fc" + str(i) + "(x)")  # T2J200
        return x


print(activation("ReLU()")(torch.ones(2)))
