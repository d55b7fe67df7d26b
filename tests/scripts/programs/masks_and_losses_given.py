"""Steps on the rows that a NumPy mask selects, losses that are called with a tuple, and loops with nothing to compile."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Margin(nn.Module):
    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, output, target):
        return (output[:, 0] - self.margin * target).pow(2).mean()


class Sums(nn.Module):
    def forward(self, a, b):
        return {"sum": a + b, "n": 2}


def evaluate(model, loss_fn, x, target):
    outputs = (model(x), target)
    return loss_fn(*outputs).item()


def add_up(net, batches):
    net.eval()
    total = 0
    for data in batches:
        outputs = net(*data)
        if len(outputs) == 2:
            total += outputs["sum"].sum().item()
    return total


def train(model, optimizer, batch):
    out = model(batch["x"])
    keep = batch["mask"]
    loss = F.cross_entropy(out, batch["y"], reduction="none")
    loss = (loss * keep).sum() / keep.sum() + out[keep].pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train_others(model, optimizer, x, chosen):
    loss = model(x)[chosen].pow(2).mean() + model(x)[~chosen].abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def batches(n):
    for i in range(n):
        yield {"x": torch.arange(8.0).reshape(4, 2) - i, "y": torch.tensor([0, 1, 1, 0]), "mask": torch.arange(4) > i}


model = nn.Linear(2, 2)
nn.init.constant_(model.weight, 0.5)
nn.init.constant_(model.bias, 0.1)
x, y = torch.arange(8.0).reshape(4, 2), torch.tensor([0, 1, 1, 0])
held_out = np.arange(4) % 3 == 0
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for _ in range(2):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x[~held_out]), y[~held_out])
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
print(round(evaluate(model, nn.CrossEntropyLoss(), x, y), 4))
print(round(evaluate(model, Margin(0.5), x, y), 4))
print(add_up(Sums(), [(torch.ones(3, 2), torch.ones(3, 2))]))
for batch in batches(2):
    print(round(train(model, optimizer, batch), 4))
    print(round(train_others(model, optimizer, batch["x"], batch["mask"]), 4))
