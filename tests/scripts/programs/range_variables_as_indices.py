"""Variables that are ranges, as indices beside others."""

import torch

x = torch.arange(12.0).reshape(3, 4)
rows = range(3)
cols = torch.tensor([0, 2, 1])
print(x[rows, cols].tolist())
print(x[range(3), [1, 1, 1]].sum().item())
idx = list(range(3))
print(x[idx, cols].sum().item())


def pick(logits, actions):
    n = logits.shape[0]
    rows = range(n)
    return logits[rows, actions]


print(pick(x, cols).sum().item())
x[rows, cols] = 0
print(x.sum().item())
