# also: nnx, linen
"""Predictions of models that nothing is known of: what is done with them shows that `max` is that of tensors."""

import numpy as np
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([1.0, -2.0, 0.5]))

    def forward(self, x):
        return x * self.scale


def made(name):
    return globals()[name]()


def scores(loader):
    model = made("Net")
    total = 0
    for images, labels in loader:
        outputs = model(images)
        pred = outputs.data.max(1)[1].cpu().numpy()
        total += int(np.sum(pred))
    print(total)
    for images, labels in loader:
        out = model(images)
        _, predicted = out.max(1)
        total += predicted.eq(labels).sum().item()
    print(total)
    for images, labels in loader:
        y = model(images)
        best = y.data.max(1)[1]
        total += best.eq(labels.data).cpu().sum().item()
    return total


def span(points):
    low, high = points.min(0), points.max(0)
    return [float(value) for value in high - low]


batches = [(torch.linspace(-1, 2, 12).reshape(4, 3), torch.tensor([0, 1, 2, 0]))]
print(scores(batches))
print(span(np.arange(6.0).reshape(3, 2)))
