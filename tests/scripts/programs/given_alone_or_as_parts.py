# also: nnx, linen
"""A function gives a model without state alone, or as a part of one that keeps some."""

import torch
import torch.nn as nn


class Detr(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.bn(x)


class Segm(nn.Module):
    def __init__(self, detr):
        super().__init__()
        self.detr = detr
        self.head = Head()

    def forward(self, x):
        return self.head(self.detr(x))


def make(mask=False):
    detr = Detr()
    nn.init.constant_(detr.fc.weight, 0.3)
    nn.init.constant_(detr.fc.bias, 0.1)
    if mask:
        return Segm(detr)
    return detr


for mask in (True, False):
    model = make(mask)
    print(model(torch.arange(6.0).reshape(3, 2)).pow(2).sum().item())
model = make(True)
print(model(torch.arange(6.0).reshape(3, 2)).pow(2).sum().item())
plain = make(mask=False)
print(plain(torch.arange(6.0).reshape(3, 2)).pow(2).sum().item())
