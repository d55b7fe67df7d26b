# also: nnx, linen
"""An argument that goes back to torch's default where `functools.partial` has given another one."""

from functools import partial

import torch
from torch import nn

Plain = partial(nn.Linear, bias=False)
Norm = partial(nn.LayerNorm, eps=0.5)


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = Plain(width, width, bias=True)
        self.norm = Norm(width, eps=1e-5)

    def forward(self, x):
        return self.norm(self.first(x))


print(len(list(Net(3).parameters())), Net(3)(torch.ones(2, 3)).shape)
