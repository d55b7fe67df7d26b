"""Gradients turned on by a flag, and off for a part of a model whose features are constants then."""

import torch
from torch import nn
backbone, head = nn.Linear(2, 2), nn.Linear(2, 1)
for p in [*backbone.parameters(), *head.parameters()]:
    p.data.fill_(0.1)
opt = torch.optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.1)
def run(train):
    """One epoch."""
    torch.set_grad_enabled(train)
    total = 0
    for k in range(2):
        loss = (head(backbone(torch.ones(3, 2))) ** 2).mean()
        if train:
            opt.zero_grad()
            loss.backward()
            opt.step()
        total += loss.item()
    return total
def half():
    torch.set_grad_enabled(False)
    f = backbone(torch.ones(3, 2))
    torch.set_grad_enabled(True)
    loss = (head(f) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()
print(run(True), run(False), half(), run(True))
