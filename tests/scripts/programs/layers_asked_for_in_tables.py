# also: nnx, linen
import torch
from torch import nn

ACTS: dict = {"relu": nn.ReLU, "tanh": nn.Tanh}


def build(name, kinds=(nn.ReLU, nn.Dropout)):
    net = nn.Sequential(nn.Linear(2, 2), ACTS.get(name)(), nn.Dropout(0.1))
    return net, [isinstance(m, kinds) for m in net]


net, found = build("relu")
print(found, isinstance(net[1], ACTS["relu"]), isinstance(net[1], ACTS["tanh"]))
net, found = build("tanh", kinds=nn.Tanh)
print(found, isinstance(net[1], ACTS["relu"]), isinstance(net[1], ACTS["tanh"]))
