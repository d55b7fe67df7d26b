import torch


def double(x):
    return 2 * x


def root(x):
    return torch.sqrt(x)
