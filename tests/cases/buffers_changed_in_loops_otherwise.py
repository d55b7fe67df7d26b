import torch.nn as nn


def first(model: nn.Module):
    for b in model.buffers():  # T2J303
        b.zero_()
        break
