# also: nnx, linen
"""Losses and functions that are asked of torch by names, and called with options that are always the same; names that a dataclass has."""

from dataclasses import dataclass

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


print(round(Criterion()(x, y).item(), 4), round(Criterion("L1Loss", "smooth_l1_loss")(x, y).item(), 4))
for kind in ("mean", "sum"):
    print([round(v, 4) for v in reduced(x, kind).tolist()])


@dataclass
class Config:
    act: str = "GELU"
    hidden: int = 3
    loss: str = "cross_entropy"
    pool: str = "max"


class Mlp(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        act = getattr(nn, cfg.act)
        self.net = nn.Sequential(nn.Linear(4, cfg.hidden), act(), nn.Linear(cfg.hidden, 2), act())
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.linspace(-0.7, 0.9, p.numel()).reshape(p.shape))

    def forward(self, x):
        return self.net(x)


cfg = Config()
loss_fn = getattr(F, cfg.loss)
print([round(v, 4) for v in Mlp(cfg)(x).flatten().tolist()])
print(round(loss_fn(Mlp(Config(act="Softplus"))(x), torch.tensor([0, 1, 0])).item(), 4))
