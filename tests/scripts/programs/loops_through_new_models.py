# also: nnx, linen
"""Loops go through models that are made in their heads, and put them into a mode, fill them, and train them."""

import torch
from torch import nn


class Drops(nn.Module):
    def __init__(self, n, p=0.5):
        super().__init__()
        self.fc = nn.Linear(n, 2)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.drop(self.fc(x))


class Late(Drops):
    def forward(self, x):
        return self.fc(self.drop(x))


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.fill_(0.1 * (i + 1))


x = torch.arange(6.0).view(2, 3)
for model in [Drops(3), Late(3)]:
    fill(model)
    model.eval()
    print(model(x).tolist())

for name, model in (("drops", Drops(3, 0.0)), ("late", Late(3, p=0.0))):
    fill(model)
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
    model.eval()
    print(name, model(x).tolist())


def compare(n):
    found = []
    for model in (Drops(n), nn.Sequential(nn.Linear(n, 2), nn.Dropout(0.9))):
        fill(model)
        model.eval()
        found.append(model(x).sum().item())
    return found


print(compare(3))
