"""Batch normalizations that derive from the base that torch's share, with checks and ways of computing of their own."""
# also: nnx, linen

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.modules.batchnorm import _BatchNorm


class ContBatchNorm3d(nn.modules.batchnorm._BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() != 5:
            raise ValueError("expected 5D input (got {}D input)".format(input.dim()))


    def forward(self, input):
        self._check_input_dim(input)
        return F.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, True, self.momentum, self.eps
        )


class AnyNorm(_BatchNorm):
    def _check_input_dim(self, input):
        return


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = ContBatchNorm3d(2)
        self.b = AnyNorm(2)

    def forward(self, x):
        return self.b(self.a(x).flatten(2))


net = Net()
x = torch.linspace(-1, 3, 64).view(2, 2, 2, 2, 4) ** 2
for _ in range(2):
    print(net(x).abs().sum().item())
print(net.a.running_mean.sum().item(), net.b.running_var.sum().item())
net.eval()
print(net(x * 2).abs().sum().item())
