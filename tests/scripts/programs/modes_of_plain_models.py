# also: nnx, linen
"""Modes of models without layers that have one: restored behind an evaluation, and told by classes of the program."""

import torch
from torch import nn


def evaluate(model, x):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        y = model(x)
    model.train(was_training)
    return [round(v, 4) for v in y.flatten().tolist()]


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


net, plain = nn.Sequential(nn.Linear(3, 2), nn.ReLU()), Plain()
with torch.no_grad():
    for p in [*net.parameters(), *plain.parameters()]:
        p.copy_(torch.linspace(-0.5, 1, p.numel()).view_as(p))
print(evaluate(net, torch.ones(2, 3)), evaluate(plain, torch.ones(1, 3)))
print(plain.training)
plain.eval()
print(plain.training)
print(evaluate(plain, torch.ones(1, 3)))
print(plain.training)
