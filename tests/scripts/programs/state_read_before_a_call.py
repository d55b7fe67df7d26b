# flagged: T2J302
"""A statistic is read in the same line as, and before, the call that changes it."""

import torch
import torch.nn as nn

x = torch.arange(8.0).view(4, 2) / 8
norm = nn.BatchNorm1d(2)
norm(x)
print(norm.running_mean.tolist(), norm(x + 1).shape[0])
