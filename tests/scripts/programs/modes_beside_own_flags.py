# also: linen
"""A policy that keeps whether it is deterministic: NNX would set that to the mode."""

import torch
import torch.nn as nn


class Policy(nn.Module):
    def __init__(self, deterministic=False):
        super().__init__()
        self.deterministic = deterministic
        self.mean = nn.Linear(3, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        mean = self.mean(self.drop(x))
        return mean if self.deterministic else mean + 1


policy = Policy()
with torch.no_grad():
    policy.mean.weight.fill_(0.5)
    policy.mean.bias.fill_(0.25)
policy.eval()
print(policy(torch.ones(1, 3)).sum().item(), policy.deterministic)
