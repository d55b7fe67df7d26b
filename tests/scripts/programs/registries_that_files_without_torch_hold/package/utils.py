import torch

from .config import MODELS


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * (0.7 + 0.1 * i)).reshape(p.shape) * 0.3)


def data(n, d):
    return torch.cos(torch.arange(n * d, dtype=torch.float32) * 0.37).reshape(n, d)


def register(name):
    def deco(cls):
        MODELS[name] = cls
        return cls

    return deco
