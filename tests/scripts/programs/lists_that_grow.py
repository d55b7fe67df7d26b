"""Lists of modules and of parameters that grow while their module is made."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.tokens = nn.ParameterList([])
        self.layers = nn.ModuleList([])
        for i in range(3):
            self.layers.extend([nn.Linear(dim, dim), nn.ReLU()])
            self.tokens.append(nn.Parameter(torch.ones(dim) * i))
        self.layers.append(nn.Linear(dim, dim))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        for t in self.tokens:
            x = x + t
        return x


net = Net(4)
for p in net.parameters():
    nn.init.constant_(p, 0.1)
print(net(torch.ones(2, 4)).tolist(), [name for name, _ in net.named_parameters()])
