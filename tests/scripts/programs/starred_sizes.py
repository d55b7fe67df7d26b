"""Sizes given by stars, which are translated too, and methods without arguments, which only objects that are no tensors have."""

import torch


class Shown:
    def view(self):
        return "shown"


def show(thing):
    return thing.view() + thing.view()


def both(x, other):
    return x.view(-1).tolist(), other.view(), x.permute(*range(x.dim() - 1, -1, -1)).tolist()


def sizes(x: torch.Tensor, y: torch.Tensor):
    half = [x.view(*y.size()), x.view(*[n for n in y.size()]), x.reshape(-1, *y.t().size()[1:])]
    rest = [torch.zeros(*y.size()), y.repeat(*y.size()), x.flip(*range(x.dim())), y.expand(*x[:1].size(), *y.size())]
    return [t.tolist() for t in half + rest]


print(show(Shown()), both(torch.arange(6.0).view(2, 3), Shown()))
print(sizes(torch.arange(6.0), torch.ones(2, 3)))
