import torch
import torch.nn as nn
from dataclasses import dataclass


@dataclass
class Config:
    block_size: int = 8
    dim: int = 4


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.fc = nn.Linear(config.dim, config.dim)
        self.flash = config.dim > 100
        if not self.flash:
            mask = torch.tril(torch.ones(config.block_size, config.block_size))
            self.register_buffer("bias", mask.view(1, config.block_size, config.block_size))

    def forward(self, x):
        T = x.shape[1]
        y = self.fc(x)
        if self.flash:
            return y
        att = y @ y.transpose(1, 2)
        att = att.masked_fill(self.bias[:, :T, :T] == 0, float("-inf"))
        return att.softmax(-1) @ y


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = nn.ModuleDict(
            dict(
                wpe=nn.Embedding(config.block_size, config.dim),
                h=nn.ModuleList([Attention(config) for _ in range(2)]),
            )
        )
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.1)
            nn.init.zeros_(m.bias)
        elif isinstance(m, nn.Embedding):
            nn.init.ones_(m.weight)

    def crop_block_size(self, block_size):
        assert block_size <= self.config.block_size
        self.config.block_size = block_size
        self.transformer.wpe.weight = nn.Parameter(self.transformer.wpe.weight[:block_size])
        for block in self.transformer.h:
            if hasattr(block, "bias"):
                block.bias = block.bias[:, :block_size, :block_size]

    def forward(self, x):
        assert x.shape[1] <= self.config.block_size
        x = x + self.transformer.wpe(torch.arange(x.shape[1]))
        for block in self.transformer.h:
            x = x + block(x)
        return x
