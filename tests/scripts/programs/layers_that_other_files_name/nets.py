from dataclasses import dataclass
import torch
import torch.nn as nn


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
