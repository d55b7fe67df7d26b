import torch
import torch.nn as nn


def fill(m):
    if isinstance(m, (nn.Linear, nn.Conv2d)):
        nn.init.constant_(m.weight, 0.25)
        nn.init.constant_(m.bias, 0.125)
    elif isinstance(m, nn.BatchNorm2d):
        nn.init.constant_(m.weight, 2.0)
        nn.init.constant_(m.bias, 0.5)


def count(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def rate(optimizer):
    return optimizer.param_groups[0]["lr"] if isinstance(optimizer, torch.optim.Optimizer) else -1.0
