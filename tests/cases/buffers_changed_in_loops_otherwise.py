import torch.nn as nn


def first(model: nn.Module):
    for b in model.buffers():  # T2J303
        b[0] = 1


def kept(model: nn.Module):
    found = []
    for name, b in model.named_buffers():  # T2J303
        b.zero_()
        found.append(b)
    return found
