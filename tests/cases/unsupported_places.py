import torch


def f(x: torch.Tensor, flag):
    if flag:
        return x
    elif torch.frobnicate(x):  # T2J200
        return 1
    values = [torch.frobnicate(v) for v in x]  # T2J200
    g = lambda v: torch.frobnicate(v)  # T2J200
    context = torch.no_grad()  # T2J200
    return values, g, context


def statistics(layer):
    return layer.running_mean, layer.count  # T2J603
