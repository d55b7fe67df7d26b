"""Models that are asked for by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first, self.last = nn.Linear(4, width), nn.Linear(width, 2)

    def forward(self, x):
        x = F.dropout(torch.tanh(self.first(x)), p=0.0, training=self.training)
        return self.last(x)
