"""Optimizers do not say of which class they are."""

import torch
from torch.optim import SGD, Adam, Optimizer


def name_of(optimizer):
    if isinstance(optimizer, Optimizer) and isinstance(optimizer, (SGD, Adam)):  # T2J200
        return "known"
    if isinstance(optimizer, torch.optim.AdamW):  # T2J200
        return "adamw"
    return "other"
