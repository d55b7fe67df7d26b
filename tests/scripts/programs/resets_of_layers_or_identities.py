# also: nnx, linen
"""A part that is reset where it is a layer with parameters, and stands for nothing elsewhere."""

import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = norm
        self.ln_final = nn.LayerNorm(3) if norm else nn.Identity()
        self.init_weights()

    def init_weights(self):
        if self.norm:
            self.ln_final.reset_parameters()

    def forward(self, x):
        return self.ln_final(x)


print(Tower(True)(torch.ones(2, 3)).tolist(), Tower(False)(torch.ones(2, 3)).tolist())
