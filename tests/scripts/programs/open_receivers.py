"""Moves and casts of what may be a tensor, a module, an object with such methods, or a NumPy array."""

import numpy as np
import torch
import torch.nn as nn


class Pair:
    def __init__(self, first, second):
        self.first, self.second = first, second

    def to(self, device):
        return Pair(self.first.to(device), self.second.to(device))

    def total(self):
        return self.first.sum() + self.second.sum()


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.full((2,), 3.0))

    def forward(self, x):
        return x * self.factor


def place(items, device):
    return [item.to(device) for item in items]


def prepare(batch, device):
    return {name: part.to(device=device, dtype=torch.float) for name, part in batch.items()}


def converted(value, target):
    return value.to(target)


def report(entry):
    return [entry["loss"].item(), entry["scores"].mean(0).tolist(), entry["scores"].data.cpu().numpy().tolist()]


def channels_first(image):
    return image.transpose(2, 0, 1)


def swapped(sequence):
    return sequence.transpose(0, 1).contiguous().view(-1, 2)


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ones, pair, layer = place([torch.ones(2), Pair(torch.ones(2), torch.zeros(3)), Scale()], device)
    print(ones.tolist(), pair.total().item(), layer(ones).tolist())
    batch = prepare({"image": torch.arange(4), "mask": torch.tensor([True, False])}, device)
    print(batch["image"].tolist(), (batch["mask"] / 2).tolist())
    x = torch.tensor([0.5, 1.5])
    print(converted(x, torch.long).tolist(), converted(x, device).tolist(), converted(x, torch.tensor([1])).tolist())
    for entry in [{"loss": torch.tensor(0.25), "scores": torch.tensor([[1.0, 2.0], [3.0, 5.0]])}]:
        print(report(entry))
    print(channels_first(np.zeros((4, 5, 3))).shape, swapped(torch.arange(6).view(2, 3)).tolist())


main()
