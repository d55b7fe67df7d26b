# also: nnx
"""Sizes from a namespace that a module keeps, of parts that its `__init__` and a method of its base fill behind them."""

import torch
from torch import nn
import numpy as np
class Args: pass
def normal_init(m, mean=0.):
    m.weight.data.normal_(mean, 0.)
class NonLinear(nn.Module):
    def __init__(self, i, o, bias=True, activation=None):
        super().__init__()
        self.activation = activation
        self.linear = nn.Linear(int(i), int(o), bias=bias)
    def forward(self, x):
        h = self.linear(x)
        if self.activation is not None:
            h = self.activation(h)
        return h
class Model(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
    def add_pseudoinputs(self):
        act = nn.Hardtanh(min_val=0.0, max_val=1.0)
        self.means = NonLinear(self.args.n, np.prod(self.args.size), bias=False, activation=act)
        if self.args.use:
            self.means.linear.weight.data = self.args.pm
        else:
            normal_init(self.means.linear, self.args.pm)
class VAE(Model):
    def __init__(self, args):
        super(VAE, self).__init__(args)
        self.q = nn.Sequential(nn.Linear(np.prod(self.args.size), 3), nn.Linear(3, 3))
        self.q_mean = nn.Linear(3, self.args.z)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                normal_init(m, 0.1)
        if self.args.z > 1:
            self.add_pseudoinputs()
    def forward(self, x):
        return self.q_mean(self.q(x)).sum() + self.means(x[:, :self.args.n]).sum()
import argparse
p = argparse.ArgumentParser()
p.add_argument('--n', type=int, default=2)
p.add_argument('--z', type=int, default=2)
args = p.parse_args([])
def load(args):
    args.size = [1, 3, 1]
    args.use = args.n > 1
    if args.use:
        init = np.ones((3, 2))
        args.pm = torch.from_numpy(init + 0.01 * np.ones((np.prod(args.size), args.n))).float()
    else:
        args.pm = 0.05
    return args
args = load(args)
m = VAE(args)
for k, q in m.named_parameters():
    if k.endswith("bias"):
        q.data.zero_()
print(m(torch.ones(2, 3)).item())
