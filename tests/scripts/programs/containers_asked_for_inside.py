# also: nnx, linen
"""A module asks whether its parts are containers, which Linen holds in another form."""

import torch
import torch.nn as nn


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"a": nn.Linear(3, 3)})
        self.rows = nn.ModuleList([nn.Linear(3, 3)])
        self.one = nn.Linear(3, 3)

    def run(self, part, x):
        if isinstance(part, (nn.ModuleList, nn.Sequential)):
            for p in part:
                x = p(x)
            return x
        return part(x)

    def forward(self, x):
        n = 0
        for part in (self.parts, self.rows, self.one):
            if isinstance(part, nn.ModuleDict):
                n += 1
            elif isinstance(part, nn.ModuleList):
                n += 10
        return self.run(self.rows, x) + self.run(self.one, x) + n


m = M()
for p in m.parameters():
    p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
print(m(torch.ones(2, 3)).sum().item())
