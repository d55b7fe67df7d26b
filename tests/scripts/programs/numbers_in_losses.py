# also: linen
"""Numbers that are read from tensors in the middle of a loss."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    for i, p in enumerate(model.parameters()):
        p.data = torch.sin(torch.arange(p.numel()).float() * 0.7 + i).view(p.shape) * 0.3
    return model


x = torch.cos(torch.arange(45.0)).view(9, 5)
target = torch.arange(9) % 3
head = filled(nn.Linear(5, 3))
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(3):
    out = head(x)
    loss = F.cross_entropy(out, target) / (1 + out.detach().abs().max().item())  # of what is trained
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
for step in range(3):
    weights = torch.ones(3)
    weights[step] = 2.0
    out = head(x)
    weights = weights * 1.5
    loss = (F.cross_entropy(out, target, weight=weights) + out.pow(2).mean()) * weights.sum().item() / len(x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), weights.tolist())


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
        self.seen = 0

    def step(self, x, y, valid):
        self.optimizer.zero_grad()
        logits = self.model(x)
        losses = F.cross_entropy(logits, y, reduction="none")
        self.seen += valid.sum().item()
        loss = (losses * valid).sum() / max(valid.sum().item(), 1) + 0.01 * self.seen
        loss.backward()
        self.optimizer.step()
        return loss.item()


trainer = Trainer(filled(nn.Linear(5, 3)))
for valid in (torch.ones(9), torch.zeros(9), (target > 0).float()):
    print(trainer.step(x, target, valid), trainer.seen)
