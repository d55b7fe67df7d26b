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


print(activation("ReLU()")(torch.ones(2)))
