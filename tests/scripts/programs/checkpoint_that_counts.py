# also: linen
"""A checkpointed block that changes a dictionary, where nothing is computed again."""

import torch
from torch.utils.checkpoint import checkpoint


def block(x: torch.Tensor, log: dict):
    log["n"] = log["n"] + 1
    return x * log["n"]


log = {"n": 0}
x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
print([checkpoint(block, x, log, use_reentrant=False).sum().item() for _ in range(3)], log["n"])
