import torch
from torch import nn

import actor


def judge(x):
    return actor.noisy(x).sum(1)


class Critic(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(actor.noisy(self.inner(x)))
