# also: nnx
"""Sizes of layers that a module is given in a list, and changes there, where nothing says that it is one."""

import json

import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, layer_sizes, latent_size, conditional, num_labels):
        super().__init__()
        self.conditional = conditional
        if self.conditional:
            layer_sizes[0] += num_labels
        self.MLP = nn.Sequential()
        for i, (in_size, out_size) in enumerate(zip(layer_sizes[:-1], layer_sizes[1:])):
            self.MLP.add_module(name="L{:d}".format(i), module=nn.Linear(in_size, out_size))
            self.MLP.add_module(name="A{:d}".format(i), module=nn.ReLU())
        self.linear_means = nn.Linear(layer_sizes[-1], latent_size)

    def forward(self, x, c=None):
        if self.conditional:
            x = torch.cat((x, c), dim=-1)
        return self.linear_means(self.MLP(x))


def read(text):
    return json.loads(text)


sizes = read("[4, 5]")
net = Encoder(sizes, 2, True, 3)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.3)
print(sizes, net(torch.ones(2, 4), torch.ones(2, 3)).sum().item())
