import torch


def f(x: torch.Tensor):
    if x.device.type == "cuda" or 'cpu' == x.device.type:
        x = x * 2
    if x.device.type in ("cuda", "mps") and x.device.type not in ["cpu", "xla"]:
        x = x + 1
    return x, x.device.type != "cuda"


def g(x: torch.Tensor, names, other: torch.Tensor):
    print(x.device.type)
    if x.device.type == other.device.type:
        return x.device.type in names
    return x.device.index  # T2J200
