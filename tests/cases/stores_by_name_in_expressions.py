import torch


def clear(tensors: list[torch.Tensor]):
    return [t.__setitem__(0, 0.0) for t in tensors]  # T2J302


first = lambda t: t.__setitem__(0, 1.0)  # T2J302
first(torch.zeros(3))
