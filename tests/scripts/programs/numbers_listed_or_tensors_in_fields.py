# also: nnx, linen
"""Fields that are given an argument as it is, and a tensor of it where that is a list or a tuple of numbers, or a number."""

import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, alpha=None):
        super().__init__()
        self.alpha = alpha
        if isinstance(alpha, list):
            self.alpha = torch.Tensor(alpha)

    def forward(self, x):
        return x if self.alpha is None else x * self.alpha


class Paired(nn.Module):
    def __init__(self, weights=(1.0, 2.0)):
        super().__init__()
        self.weights = weights
        if isinstance(weights, (tuple, list)):
            self.weights = torch.tensor(weights)

    def forward(self, x):
        return x * self.weights


class Single(nn.Module):
    def __init__(self, alpha=0.25):
        super().__init__()
        self.alpha = alpha
        if isinstance(alpha, float):
            self.alpha = torch.tensor([alpha, 1 - alpha])

    def forward(self, x):
        return x * self.alpha


x = torch.linspace(-1, 1, 6).view(3, 2)
for crit in (Weighted(), Weighted([0.3, 0.7]), Paired(), Paired([0.5, 0.1]), Single(), Single(0.4)):
    print(crit(x).sum().item())
net = nn.Linear(2, 2)
nn.init.constant_(net.weight, 0.2)
nn.init.zeros_(net.bias)
crit = Weighted([0.3, 0.7])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = (crit(net(x)) - 1).pow(2).sum()
    loss.backward()
    opt.step()
    print(loss.item())
