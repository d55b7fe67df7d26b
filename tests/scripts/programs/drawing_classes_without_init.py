# also: nnx, linen
"""Classes that draw and have no __init__ of their own."""

import torch
from torch import nn
import torch.nn.functional as F
class Gate(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, training=self.training)
class Noise(nn.Module):
    def forward(self, x):
        if self.training:
            x = x + torch.randn_like(x)
        return x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate()
        self.noise = Noise()
    def forward(self, x):
        return self.noise(self.gate(x))
n = Net()
n.eval()
print(n(torch.ones(2, 2)).tolist())
