import torch


def f(x: torch.Tensor, command):
    match command:
        case "sin":
            return torch.sin(x)
        case ["scale", factor]:
            x = torch.mul(x, factor)
        case {"shift": shift, **rest} if shift:
            x = torch.add(x, shift)
        case [*x]:
            return x
        case torch:
            return torch
    return x
