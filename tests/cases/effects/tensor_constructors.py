"""torch.Tensor, torch.FloatTensor and their like: sizes, or data; and what is filled where it is made."""

import math

import torch
import torch.nn as nn


class Graph(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.FloatTensor(in_features, out_features))
        self.bias = nn.Parameter(torch.FloatTensor(out_features)) if bias else None
        self.shift = nn.Parameter(torch.Tensor([0.5]))
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.weight.size(1))
        self.weight.data.fill_(bound)
        if self.bias is not None:
            self.bias.data.fill_(-bound)

    def forward(self, x, adjacency):
        y = torch.mm(adjacency, torch.mm(x, self.weight)) + self.shift
        return y if self.bias is None else y + self.bias


def case_layer(x, square):
    return Graph(3, 4)(square, square), Graph(3, 2, bias=False)(square, square)


def case_data(n):
    numbers = torch.Tensor([1, 2]), torch.Tensor([[1.5, 2], [n, 0]]), torch.Tensor((2, 3)), torch.Tensor()
    whole = torch.LongTensor([1, 2]), torch.IntTensor((3, 4)), torch.ByteTensor([1, 0]), torch.BoolTensor([True, False])
    return numbers, whole


def case_sizes(x, n: int):
    a = torch.Tensor(2, 3).fill_(0.5)
    b = torch.Tensor(x.size()).zero_()
    c = torch.LongTensor(n, 2).fill_(7)
    d = torch.Tensor(n).fill_(n)
    return (
        a,
        b,
        c,
        d,
        torch.Tensor(x.shape[0], 1).shape,
        torch.DoubleTensor(3).fill_(1.0),
        torch.CharTensor(2, 2).zero_(),
    )


def case_filled_where_made(x, n):
    a = torch.empty(2, 3).fill_(1.0), torch.empty(2, dtype=torch.int64).fill_(n), torch.empty_like(x).zero_()
    return a, torch.zeros(3).fill_(n), x.new_empty(2, 2).fill_(2), torch.ones(2, dtype=torch.bool).fill_(0)


# random
def case_drawn(n):
    return torch.Tensor(40, n).uniform_(-1, 1), torch.FloatTensor(80).normal_(), torch.LongTensor(80).random_(0, 5)


def case_of_a_tensor(x: torch.Tensor):
    return torch.Tensor(x)


def length_or_data(width):
    return torch.Tensor(width)


def length(width):
    return torch.Tensor(width)


def case_length():
    return length(3).fill_(1)


def typed(x: torch.IntTensor, y: torch.DoubleTensor) -> torch.HalfTensor:
    return x + y


def case_annotations(x, n: int):
    return typed(x, torch.Tensor(n).fill_(0.5).sum())
