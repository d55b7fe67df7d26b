import torch


def change(x, scale=1.0):
    return x + scale * torch.randn_like(x)
