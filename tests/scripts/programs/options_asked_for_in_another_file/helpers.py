import torch
from torch import nn


def make(width=4):
    model = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def describe(optimizer):
    for i, group in enumerate(optimizer.param_groups):
        count = sum(p.numel() for p in group["params"])
        print(i, count, group["lr"], group["betas"], group["eps"], group["weight_decay"])
