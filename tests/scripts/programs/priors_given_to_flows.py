# also: nnx, linen
"""Distributions that modules are given, or make, and keep."""

import torch
import torch.nn as nn
from torch.distributions import Normal
class F(nn.Module):
    def __init__(self, prior):
        super().__init__()
        self.prior = prior
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return self.prior.log_prob(self.fc(x)).sum()
class G(nn.Module):
    def __init__(self):
        super().__init__()
        self.prior = Normal(torch.zeros(2), torch.ones(2))
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return self.prior.log_prob(self.fc(x)).sum()
for net in (F(Normal(torch.zeros(2), torch.ones(2))), G()):
    for i, p in enumerate(net.parameters()):
        nn.init.constant_(p, 0.1 + 0.2 * i)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        opt.zero_grad()
        loss = -net(torch.ones(1, 2))
        loss.backward()
        opt.step()
        print(loss.item())
