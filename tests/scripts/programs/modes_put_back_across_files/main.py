# also: nnx, linen
"""A model whose mode is asked for, and put back, in another file than its class."""

import torch
from torch import nn

from model import Net


def evaluate(model):
    was = model.training
    model.eval()
    with torch.no_grad():
        print(model(torch.arange(8.0).view(2, 4)).sum().item())
    model.train(was)


def fill(m):
    for p in m.parameters():
        nn.init.constant_(p, 0.2)
    return m


model = fill(Net())
model(torch.arange(8.0).view(2, 4))
evaluate(model)
print(model.training)
