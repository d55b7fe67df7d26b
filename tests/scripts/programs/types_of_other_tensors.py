"""Tensors that take the type of another one, by the name of the type."""

import torch

x = torch.arange(4)
y = torch.ones(3)
t = y.type()
print(t)
print(x.type(t).dtype == y.dtype, x.type("torch.FloatTensor").dtype == y.dtype, x.type(y.type()).sum())


def to_one_hot(labels, like):
    return torch.zeros(len(labels), 4).type(like.type()).scatter_(1, labels.view(-1, 1), 1)


def pad(tensor):
    z = torch.full((2, 2), 1.5).type(tensor.type())
    return z


print(to_one_hot(x, y))
print(pad(x), pad(y), pad(y > 2).dtype == torch.bool)
