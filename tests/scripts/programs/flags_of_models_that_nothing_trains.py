# also: nnx
"""Flags of parameters of models that nothing trains, where it is asked which are trained."""

import torch
from torch import nn


def count(m):
    return sum(p.numel() for p in m.parameters() if p.requires_grad)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))


net, other, third = Net(), Net(), Net()
for p in other.parameters():
    p.requires_grad = False
third.body.requires_grad_(False)
print(count(net), count(other), count(third))
print([n for n, p in other.named_parameters() if p.requires_grad], [p.requires_grad for p in other.parameters()])
print([n for n, p in third.named_parameters() if p.requires_grad], [p.requires_grad for p in third.parameters()])
print(len([p for p in third.parameters() if p.requires_grad]), any(p.requires_grad for p in other.parameters()))
