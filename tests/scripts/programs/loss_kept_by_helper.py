# flagged: T2J500
"""A helper keeps tensors with their gradients in a list, from inside of the loss; one that detaches them may do so."""

import torch
import torch.nn as nn
import torch.nn.functional as F

kept, detached = [], []


def keep(h):
    kept.append(h.mean())
    detached.append(h.detach().mean())
    with torch.no_grad():
        detached.append(h.sum())
    return h * 2


x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[1.0], [2.0]])
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for _ in range(2):
    optimizer.zero_grad()
    loss = F.mse_loss(keep(model(x)), y)
    loss.backward()
    optimizer.step()
print(len(kept), kept[-1].item() > -100)
