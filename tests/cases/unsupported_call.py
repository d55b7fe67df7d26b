import torch


def f(x: torch.Tensor):
    y = torch.frobnicate(x)  # T2J200
    return y
