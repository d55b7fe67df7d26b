# also: nnx, linen
"""Classes of a file that are asked for by their names: what takes models is none of those that a number is given to."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * number))


class Wide(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first, self.last = nn.Linear(4, width), nn.Linear(width, 2)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


class Small(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.body = nn.Linear(4, width)
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        return self.head(F.relu(self.body(x)))


def build(name, width):
    return globals()[name](width)


x = torch.linspace(-1, 1, 24).reshape(6, 4)
y = torch.linspace(0, 1, 12).reshape(6, 2)
for name in ["Wide", "Small"]:
    model = build(name, 5)
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(name, round(loss.item(), 5))
