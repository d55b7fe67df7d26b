# also: nnx
"""Comparisons in place of what has just been made, which has no name: their results have its dtype."""

import torch
from torch import nn


class MaskingLoss(nn.Module):
    def __init__(self, loss, ignored):
        super().__init__()
        self.loss = loss
        self.ignored = ignored

    def forward(self, input, target):
        mask = target.clone().ne_(self.ignored)
        mask.requires_grad = False
        return self.loss(input * mask, target * mask)


x = torch.arange(6.0)
print(MaskingLoss(nn.MSELoss(), 2.0)(torch.ones(4), torch.tensor([1.0, 2.0, 3.0, 2.0])).item())
print(
    (x.clone().gt_(2) / 2).tolist(),
    (x.clone().ge_(2) + 0.5).tolist(),
    torch.ones(3, dtype=torch.long).eq_(1).sum().item(),
)
print((x.clone().lt_(2) / 2).tolist(), x.clone().le_(x.flip(0)).mean().item())
print(x.clone().logical_not_().mean().item(), x.clone().logical_and_(x > 3).mean().item())
print(torch.empty(2, 3).copy_(torch.tensor([1, 2, 3])).mean(1).tolist())
