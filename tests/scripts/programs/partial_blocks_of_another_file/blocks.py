"""A block that draws its weights."""

from torch import nn


class Block(nn.Module):
    def __init__(self, dim, dim_out, *, time_dim=None, dropout=0.0):
        super().__init__()
        self.proj = nn.Linear(dim, dim_out)
        self.mlp = nn.Linear(time_dim, dim_out) if time_dim is not None else None
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, t=None):
        x = self.proj(x)
        if self.mlp is not None and t is not None:
            x = x + self.mlp(t)
        return self.dropout(x)
