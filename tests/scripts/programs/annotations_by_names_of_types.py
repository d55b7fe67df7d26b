# also: nnx, linen
"""Annotations that name what the program makes of types: they leave open what is given, or say that it is a tensor."""

from typing import Any, List, NewType, Optional, Tuple, TypeVar, Union

import numpy as np
import torch
import torch.nn as nn

Tensor = TypeVar("torch.tensor")
T = TypeVar("T")
Array = Union[torch.Tensor, np.ndarray]
Maybe = Optional[torch.Tensor]
Anything = Any
Weights = NewType("Weights", torch.Tensor)
Pair = Tuple[torch.Tensor, torch.Tensor]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        with torch.no_grad():
            self.fc.weight.fill_(0.25)
            self.fc.bias.fill_(0.5)

    def forward(self, x: Tensor) -> Tensor:
        parts = []
        for _ in range(2):
            parts.append([self.fc(x), x])
        return self.merge(parts[0][0], parts[1][1]) + self.other(parts[0][1])

    def merge(self, a: Tensor, b: Tensor) -> List:
        return a.exp() * 0.5 + b.exp()

    def other(self, a: T) -> T:
        return a.exp().view(-1, 2)


def scale(values: Array, by: Anything) -> Array:
    return values.square() * by.sigmoid()


def first(pair: Pair) -> Maybe:
    return pair[0].rsqrt()


def weigh(x: Maybe, weights: Weights):
    return x.abs() * weights.neg()


print(Net()(torch.ones(1, 2)).flatten().tolist())
x = torch.arange(1.0, 5.0)
print(scale(x, x).tolist(), first((x, x)).tolist(), weigh(x, x).tolist())
