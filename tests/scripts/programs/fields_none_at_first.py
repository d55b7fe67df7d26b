# also: nnx, linen
"""Parameters and parts that are None at first are registered when they get a value: their names come in that order."""

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, relative=True, bias=True):
        super().__init__()
        self.relative, self.norm = None, None
        self.bias = None
        self.query = nn.Linear(2, 2)
        self.weight = nn.Parameter(torch.ones(2))
        if relative:
            self.relative = nn.Parameter(torch.zeros(3))
            self.norm = nn.LayerNorm(2)
        self.out = nn.Linear(2, 1)
        if bias:
            self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        x = self.query(x) * self.weight
        if self.norm is not None:
            x = self.norm(x)
        return self.out(x)


for relative in (True, False):
    layer = Layer(relative, bias=relative)
    print([name for name, _ in layer.named_parameters()])
    print([name for name, _ in layer.named_children()], list(layer.state_dict()))
    print([tuple(p.shape) for p in layer.parameters()])
