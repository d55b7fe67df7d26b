from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    block_size: int = 8
    width: int = 4
    bias: bool = True


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(6, config.width)
        self.places = nn.Embedding(config.block_size, config.width)
        self.head = nn.Linear(config.width, 6, bias=config.bias)
        for i, p in enumerate(self.parameters()):
            p.data.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - i).float() / 10)

    def crop(self, block_size):
        self.config.block_size = block_size
        self.places.weight = nn.Parameter(self.places.weight[:block_size])

    def forward(self, x):
        x = x[:, : self.config.block_size]
        h = self.tokens(x) + self.places(torch.arange(x.shape[1]))
        logits = self.head(h)
        return logits, F.cross_entropy(logits.reshape(-1, 6), x.reshape(-1))
