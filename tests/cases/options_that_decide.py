# Options that may be missing and decide what is given: a tensor, or values and their places.
import torch


def extreme(x, axis):
    options = {}
    if axis is not None:
        options["dim"] = axis
    return torch.max(x, **options)  # T2J202
