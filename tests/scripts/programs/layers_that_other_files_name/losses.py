import torch
import torch.nn as nn
import torch.nn.functional as F


x = torch.linspace(-2, 2, 12).reshape(3, 4)
y = torch.linspace(0, 1, 12).reshape(3, 4)
class Criterion(nn.Module):
    def __init__(self, loss="MSELoss", extra="l1_loss"):
        super().__init__()
        self.loss = getattr(nn, loss)(reduction="none")
        self.extra = getattr(F, extra)

    def forward(self, x, y):
        return self.loss(x, y).mean(0).sum() + self.extra(x, y, reduction="sum")


def reduced(x, kind="mean"):
    return getattr(torch, kind)(x, dim=1)
