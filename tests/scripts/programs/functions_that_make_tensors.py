# also: nnx, linen
"""Functions that make tensors of given sizes, passed around and chosen."""

import torch

MAKERS = {"zeros": torch.zeros, "ones": torch.ones}


def table(make, rows, columns):
    return make(rows, columns) + 1


def build(kind, ones=False):
    init = torch.ones if ones else torch.zeros
    return MAKERS[kind](2, 3).sum().item(), init((3, 2)).sum().item(), init(4).tolist()


print(table(torch.zeros, 2, 3).sum().item(), table(torch.ones, 2, 2).tolist(), list(table(torch.empty, 1, 2).shape))
print(build("zeros"), build("ones", True))
