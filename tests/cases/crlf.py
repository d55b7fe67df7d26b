import torch


def f(x: torch.Tensor):
    y = torch.sin(x)
    y[0] = 1
    return y
