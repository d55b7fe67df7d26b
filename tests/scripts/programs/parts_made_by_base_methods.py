# also: nnx, linen
"""A base class whose method makes a part and fills it, which `__init__` of a derived class calls."""

import torch
from torch import nn
def normal_init(m, mean=0.):
    m.weight.data.fill_(mean)
class Model(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
    def add_pseudoinputs(self):
        self.means = nn.Linear(2, 3, bias=False)
        normal_init(self.means, 0.5)
class VAE(Model):
    def __init__(self, k):
        super(VAE, self).__init__(k)
        self.q = nn.Linear(3, 2)
        if k > 1:
            self.add_pseudoinputs()
    def forward(self, x):
        out = self.q(x) * 0
        if self.k > 1:
            return out + self.means(x[:, :2]).sum()
        return out
print(VAE(2)(torch.ones(2, 3)).tolist())
