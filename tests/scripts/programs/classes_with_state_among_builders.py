# also: nnx
"""Classes of models in a table with functions that make some: all give a model and its state."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
    return model


class Small(nn.Module):
    def __init__(self, classes=3, width=4):
        super().__init__()
        self.fc1 = nn.Linear(4, width)
        self.bn = nn.BatchNorm1d(width)
        self.fc2 = nn.Linear(width, classes)

    def forward(self, x):
        return self.fc2(torch.relu(self.bn(self.fc1(x))))


class Plain(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.fc = nn.Linear(4, classes)

    def forward(self, x):
        return self.fc(x)


def wide(classes=3):
    return Small(classes, width=8)


MODELS = {"small": Small, "wide": wide, "plain": Plain}


def build(name, classes):
    return MODELS[name](classes)


def train(model, x, y):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


x = (torch.arange(24, dtype=torch.float32) * 0.3).sin().view(6, 4)
y = torch.tensor([0, 1, 2, 0, 1, 2])
for name in ("small", "wide", "plain"):
    model = MODELS[name](3)
    fill(model)
    train(model, x, y)
    model.eval()
    print(name, model(x).sum().item())
other = build("plain", 2)
fill(other)
print(other(x).sum().item())
