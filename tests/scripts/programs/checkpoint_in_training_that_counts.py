# flagged: T2J200
"""A checkpointed block that changes a dictionary, which torch does once more in the backward pass."""

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


def block(h: torch.Tensor, log: dict):
    log["n"] = log["n"] + 1
    return h * log["n"]


log = {"n": 0}
x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for _ in range(2):
    optimizer.zero_grad()
    loss = checkpoint(block, model(x), log, use_reentrant=False).sum()
    loss.backward()
    optimizer.step()
print(log["n"])
