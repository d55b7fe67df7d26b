"""Gradients of scores whose class is looked up in the middle (`output.argmax().item()`), in scripts, functions and methods, beside helpers that are given models."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - 3) * 0.05 + 0.01 * i)
    return model


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.conv2 = nn.Conv2d(4, 6, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(6 * 4 * 4, 3)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = self.pool(F.relu(self.conv2(x)))
        return self.fc(x.flatten(1))


x = (torch.arange(128.0).reshape(2, 1, 8, 8) % 11) / 8 - 0.6


class Saliency:
    def __init__(self, model):
        self.model = model

    def run(self, x, class_idx=None):
        output = self.model(x)
        if class_idx is None:
            class_idx = output.argmax(dim=1).item()
        self.model.zero_grad()
        score = output[0, class_idx]
        score.backward()
        return self.model.conv1.weight.grad.abs().sum().item()


def importance(model, x, class_idx=None):
    output = model(x)
    if class_idx is None:
        class_idx = output.argmax(dim=1).item()
    model.zero_grad()
    score = output[0, class_idx]
    score.backward()
    return model.conv2.weight.grad.abs().sum().item()


model = fill(CNN()).eval()
output = model(x[:1])
class_idx = output.argmax(dim=1).item()
score = output[0, class_idx]
score.backward()
print(class_idx, model.conv1.weight.grad.sum().item())
print(importance(model, x[:1]), importance(model, x[1:], 1))
saliency = Saliency(fill(CNN()))
print(saliency.run(x[:1]), saliency.run(x[1:], 2))
