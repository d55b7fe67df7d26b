# also: nnx
"""Losses that derive from those of torch: what they compute is changed, or weighed."""

import torch
from torch import nn


class WeightedSmoothL1(torch.nn.SmoothL1Loss):
    def __init__(self, threshold=0.0, weight=0.1):
        super().__init__(reduction="none", beta=0.5)
        self.threshold = threshold
        self.weight = weight

    def forward(self, input, target):
        l1 = super().forward(input, target)
        mask = target < self.threshold
        l1[mask] = l1[mask] * self.weight
        return l1.mean()


class Focal(nn.BCEWithLogitsLoss):
    def __init__(self, gamma=2.0, pos_weight=None):
        super().__init__(reduction="none", pos_weight=pos_weight)
        self.gamma = gamma

    def forward(self, input, target):
        loss = super().forward(input, target)
        return ((1 - torch.exp(-loss)) ** self.gamma * loss).mean()


class Masked(nn.L1Loss):
    def forward(self, input, target, mask):
        return super().forward(input * mask, target * mask)


class Halved(nn.BCELoss):
    def forward(self, input, target):
        return 0.5 * super().forward(input, target)


class Words(nn.NLLLoss):
    def forward(self, input, target):
        return super().forward(input.flatten(0, 1).log_softmax(-1), target.flatten())


class Distilled(nn.KLDivLoss):
    def __init__(self, temperature):
        super().__init__(reduction="batchmean")
        self.temperature = temperature

    def forward(self, student, teacher):
        scaled = (student / self.temperature).log_softmax(-1)
        return super().forward(scaled, (teacher / self.temperature).softmax(-1)) * self.temperature**2


x = torch.arange(6.0).reshape(2, 3) - 2.5
y = torch.arange(6.0).flip(0).reshape(2, 3) * 0.3 - 1
print(WeightedSmoothL1()(x, y).item())
print(Focal()(x, y.sigmoid()).item(), Focal(pos_weight=torch.tensor([1.0, 2.0, 0.5]))(x, y.sigmoid()).item())
print(Masked()(x, y, (x > 0).float()).item(), Masked(reduction="sum")(x, y, torch.ones(3)).item())
print(Halved()(x.sigmoid(), y.sigmoid()).item(), Halved(torch.tensor([1.0, 3.0, 0.5]))(x.sigmoid(), y.sigmoid()).item())
words = torch.arange(12.0).reshape(2, 2, 3).cos()
print(Words(ignore_index=0)(words, torch.tensor([[0, 1], [2, 2]])).item())
print(Words(weight=torch.tensor([0.2, 1.0, 3.0]))(words, torch.tensor([[0, 1], [2, 2]])).item())
print(Distilled(2.0)(x, y).item())
