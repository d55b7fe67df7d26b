import torch


def shake(x):
    return x + torch.randn_like(x)
