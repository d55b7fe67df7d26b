"""weight_norm cannot be taken away where the program trains behind it."""

import torch
from torch import nn
from torch.nn.utils import remove_weight_norm, weight_norm


def finetune(x: torch.Tensor):
    layer = weight_norm(nn.Conv1d(1, 2, 3))
    remove_weight_norm(layer)  # T2J200
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    loss = layer(x).sum()
    loss.backward()
    optimizer.step()
    return loss
