"""Names of torch under other paths, two contexts in one line, an output made for one result, and settings that change nothing."""

import contextlib

import torch
import torch.nn as nn
from torch.functional import split
from torch.nn.modules.loss import CrossEntropyLoss
from torch.nn.modules.utils import _pair
from torch.nn.parameter import Parameter
from torch.utils.data.dataset import ConcatDataset, TensorDataset


@contextlib.contextmanager
def announced(name):
    print("enter", name)
    yield name


class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = _pair(size)
        self.weight = Parameter(torch.ones(self.size))

    def forward(self, x):
        # both at once
        with torch.no_grad(), announced("block") as name:
            y = x * self.weight
        with announced("other"), torch.no_grad():
            return y + self.weight.sum()


torch.set_default_dtype(torch.float32)
x = torch.arange(6.0).view(2, 3)
print(split(x, 1)[0].tolist(), CrossEntropyLoss()(x, torch.tensor([0, 1])).item(), _pair((1, 2)))
print(
    torch.max_pool2d(torch.arange(16.0).view(1, 1, 4, 4), 2).tolist(),
    len(ConcatDataset([TensorDataset(x), TensorDataset(x)])),
)
print(torch.matmul(x, x.t(), out=torch.empty(2, 2)).tolist())
scale = Scale(2)
print(scale(torch.ones(2, 2)).tolist())
