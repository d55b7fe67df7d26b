import torch.nn.functional as F
from torch import nn

import mypkg.ops as ops
from mypkg.layers import RMSNorm


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = RMSNorm(dim, eps=1e-5)
        self.up = nn.Linear(dim, 2 * dim)

    def forward(self, x):
        gate, value = self.up(self.norm(x)).chunk(2, dim=-1)
        return x + F.silu(gate) * ops.fused_gelu(value, scale=0.5)
