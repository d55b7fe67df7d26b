import torch


def broken(x: torch.Tensor, y: torch.Tensor):
    a = torch.add(
        x
        * 2,
        y,
    )
    b = x < torch.mul(x +
                      1, y)
    return torch.add(x
                     if y is None else y, a)
