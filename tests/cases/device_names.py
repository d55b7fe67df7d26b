import torch


def f(x: torch.Tensor):
    if x.device.type == "cuda" or 'cpu' == x.device.type:
        x = x * 2
    return x, x.device.type != "cuda"


def g(x: torch.Tensor):
    print(x.device.type)  # T2J200
    return x.device.index  # T2J200
