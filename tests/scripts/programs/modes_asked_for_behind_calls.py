"""Functions that set the mode of a model leave it in that mode for the rest of the line that calls them."""
# also: nnx, linen

import torch
import torch.nn as nn


def train(model):
    model.train()
    return model.training


def count(model):
    model.eval()
    return sum(p.numel() for p in model.parameters())


def main():
    net = nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.5))
    print(count(net), net.training)
    train(net)
    a, b = count(net), net(torch.zeros(1, 3)).shape
    print(a, b)
    print(train(net), net.training)
    c = [count(net), net.training]
    net = net.train()
    print(c, train(net))
    print(count(net))
    train(net)


main()
