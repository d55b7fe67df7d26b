import torch


def f(x: torch.Tensor):
    a = torch.zeros(3).add_(1).mul_(2)
    b = torch.zeros(3)
    b = b.add_(1)
    c = torch.zeros(3)
    d = c.add_(1) + c
    e = x.add_(1)  # T2J300
    return (a + b).add_(1), d, e
