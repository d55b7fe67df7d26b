"""Optimizers that are entries of containers, so that nothing names their states."""

import torch
import torch.nn.functional as F
from torch import nn

models = {"a": nn.Linear(4, 1), "b": nn.Linear(4, 1)}
optimizers = {name: torch.optim.SGD(model.parameters(), lr=0.1) for name, model in models.items()}


def run(x: torch.Tensor, y: torch.Tensor, order: list):
    for name in order:
        optimizers[name].zero_grad()  # T2J500
        loss = F.mse_loss(models[name](x), y)
        loss.backward()  # T2J500
        optimizers[name].step()  # T2J500
