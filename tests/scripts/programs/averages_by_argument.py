# also: nnx linen
"""Losses whose `size_average` is an argument, as older versions of torch have it."""

import torch
import torch.nn.functional as F


def cross_entropy2d(input, target, weight=None, size_average=True):
    return F.cross_entropy(input, target, weight=weight, size_average=size_average, ignore_index=250)


def bce(input, target, average):
    return F.binary_cross_entropy(input, target, size_average=average)


x = torch.arange(12.0).reshape(4, 3) / 5
y = torch.tensor([0, 1, 2, 250])
print(cross_entropy2d(x, y).item(), cross_entropy2d(x, y, size_average=False).item())
p = torch.tensor([0.2, 0.4])
print(bce(p, p, True).item(), bce(p, p, False).item(), F.mse_loss(p, p + 1, size_average=None).item())


class Loss(torch.nn.Module):
    def __init__(self, size_average=True):
        super().__init__()
        self.bce = torch.nn.BCELoss(size_average=size_average)

    def forward(self, prediction, target):
        return self.bce(prediction, target)


print(Loss()(p, p).item(), Loss(size_average=False)(p, p).item())
