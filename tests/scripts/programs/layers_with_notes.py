# also: nnx, linen
"""Constants noted on layers, by which these get their first values."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.c_proj = nn.Linear(n, n)
        self.c_proj.SCALE_INIT = 1
        self.head = nn.Linear(n, 2)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            std = 0.02
            if hasattr(module, "SCALE_INIT"):
                std *= (2 * self.n) ** -0.5
            torch.nn.init.normal_(module.weight, mean=0.0, std=std)
            torch.nn.init.constant_(module.weight, std)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)

    def forward(self, x):
        return self.head(self.c_proj(x))


net = Net(4)
print(net.c_proj.weight[0, 0].item(), net.head.weight[0, 0].item())
print(net(torch.ones(1, 4)).sum().item())
print(hasattr(net.c_proj, "SCALE_INIT"), net.c_proj.SCALE_INIT)
