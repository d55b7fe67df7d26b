"""Steps in both branches of a choice, which go on from the same lines, where they cannot become one in front of the choice."""

import torch
import torch.nn.functional as F
from torch import nn


def run(model: nn.Module, optimizer: torch.optim.SGD, x: torch.Tensor, y: torch.Tensor):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    if x.sum() > 0 and optimizer.param_groups[0]["lr"] > 0:
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
    else:
        loss.backward()  # T2J500
        optimizer.step()
    return loss.item()
