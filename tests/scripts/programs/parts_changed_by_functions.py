# also: nnx, linen
"""A function gives the parameters of a part of a model other values, in a loop over them."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(5, 2)

    def forward(self, x):
        return self.head(x)


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.head.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + k).view_as(p))


def main():
    model = Net()
    fill(model)
    print(model(torch.ones(1, 5)).sum().item())


main()
