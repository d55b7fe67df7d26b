# also: nnx, linen
"""First values of biases by the fans of their weights, as torch has them for its own layers."""

import math

import torch
import torch.nn as nn
from torch.nn import init


class GraphConv(nn.Module):
    def __init__(self, c_in, c_out, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.FloatTensor(c_in, c_out))
        if bias:
            self.bias = nn.Parameter(torch.FloatTensor(c_out))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, x):
        return x @ self.weight + self.bias


net = GraphConv(3, 64)
print(net(torch.zeros(2, 3)).abs().max().item() < 1 / 8, net.bias.abs().max().item() > 0.1)
fan = init._calculate_correct_fan(net.weight, "fan_out")
print(fan, init._calculate_fan_in_and_fan_out(torch.zeros(4, 2, 3, 3)))
