# flagged: T2J301
"""A tensor that an operation gives by a name is changed, and read by that name behind the change."""

import torch

found = torch.tensor([1.0, 3.0, 2.0]).topk(2)
best = found.values
best += 1
print(best, found.values, found.indices)
