# flagged: T2J604
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.first = nn.Parameter(torch.ones(dim))
        self.scales = nn.ParameterList([self.first, nn.Parameter(torch.ones(dim))])

    def forward(self, x):
        return x * self.scales[0] + self.first


print(Net(3)(torch.ones(3)))
