import torch


def f():
    x = torch.ones(2, 2)
    y = x.view(torch.int32)
    y[0, 0] = 1000000000  # T2J301
    return x


def g():
    x = torch.ones(2)
    return x.requires_grad, (x * 2).is_leaf  # T2J203
