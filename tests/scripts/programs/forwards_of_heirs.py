# also: nnx, linen
"""A method of a base class without a `forward` that calls the one of its heirs."""
import torch
import torch.nn as nn


class Base(nn.Module):
    def run(self, x, t):
        return self.forward(x, t) * 2


class Lin(Base):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.drop = nn.Dropout(0.0)

    def forward(self, x, t):
        return self.drop(self.lin(x)) + t


m = Lin()
for p in m.parameters():
    nn.init.constant_(p, 0.3)
print(m.run(torch.ones(1, 2), 1.0).sum().item())
