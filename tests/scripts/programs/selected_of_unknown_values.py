# also: nnx, linen
"""Slices and shapes of values of which nothing else says that they are tensors, in a file with NumPy."""

import numpy as np
import torch
from torch import nn
class Normal(nn.Module):
    def __init__(self, mu=0):
        super().__init__()
        self.mu = torch.Tensor([mu])
    def _check_inputs(self, size, params):
        if size is None and params is None:
            raise ValueError('Either one of size or params should be provided.')
        elif params is not None:
            return params.select(-1, 0), params.select(-1, 1)
        return self.mu.expand(size), self.mu.expand(size)
    def log_density(self, sample, params=None):
        if params is not None:
            mu, ls = self._check_inputs(None, params)
        else:
            mu, ls = self._check_inputs(sample.size(), None)
            mu = mu.type_as(sample)
        return -0.5 * ((sample - mu) * torch.exp(-ls)) ** 2 - ls
def run(enc, xs, b, z, n):
    return enc.f(xs).view(b, z, n)
class E:
    def f(self, x):
        return x * 2
n = Normal()
print(n.log_density(torch.ones(2, 3), torch.arange(12.0).reshape(2, 3, 2)).tolist())
print(n.log_density(torch.ones(2, 3)).tolist())
print(run(E(), torch.arange(12.0), 2, 3, 2).tolist(), np.ones(2).tolist())
