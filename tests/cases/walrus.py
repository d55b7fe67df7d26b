import torch


def f(x: torch.Tensor):
    if (n := x.numel()) > 3 and (y := torch.sin(x)) is not None:
        return y, n
    return [z for v in range(3) if (z := torch.full((1,), v)) is not None]
