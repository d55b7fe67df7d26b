"""Parameters of sizes that nobody tells are filled where they are made: `torch.Tensor(n).uniform_()`."""

import math
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, num_features, eps=1e-5, affine=True):
        super().__init__()
        self.num_features = num_features
        self.affine = affine
        self.eps = eps
        if self.affine:
            self.gamma = nn.Parameter(torch.Tensor(num_features).uniform_())
            self.beta = nn.Parameter(torch.zeros(num_features))

    def forward(self, x):
        shape = [-1] + [1] * (x.dim() - 1)
        mean = x.view(x.size(0), -1).mean(1).view(*shape)
        std = x.view(x.size(0), -1).std(1).view(*shape)
        y = (x - mean) / (std + self.eps)
        if self.affine:
            shape = [1, -1] + [1] * (x.dim() - 2)
            y = self.gamma.view(*shape) * y + self.beta.view(*shape)
        return y


class Proj(nn.Module):
    def __init__(self, input_size, output_size, bias=True, fixed_weights=True, fixed_scale=None):
        super().__init__()
        self.output_size = output_size
        self.input_size = input_size
        if fixed_scale is not None:
            self.scale = fixed_scale
        init_scale = 1. / math.sqrt(self.output_size)
        if bias:
            self.bias = nn.Parameter(torch.Tensor(output_size).uniform_(-init_scale, init_scale))
        else:
            self.register_parameter("bias", None)
        self.weight = nn.Parameter(torch.Tensor(output_size, input_size).normal_(0, 0.1))

    def forward(self, x):
        return x @ self.weight.t() + (0 if self.bias is None else self.bias)


torch.manual_seed(0)
norm = LayerNorm(3)
x = torch.linspace(-1, 1, 24).view(2, 3, 4)
print(list(norm.gamma.shape), bool((norm.gamma >= 0).all()))
norm.gamma.data.fill_(0.5)
print(norm(x).tolist())
proj = Proj(4, 3)
print(bool(proj.bias.abs().max() <= 1 / 3 ** 0.5 + 1e-6), list(proj.weight.shape))
