import torch
import torch.nn as nn


def build(space):
    """What has more than a tensor has is none: its methods are its own."""
    width = space.shape[0]
    if space.contains(3):
        width = space.high.max()
    return nn.Linear(width, 2)


def centre(x, y: torch.Tensor):
    if x.shape == y.shape:
        y = y + 1
    x += y.mean().item()  # T2J300
    return y
