"""A tied weight of a table of modules, which one rule gives its value by the name that comes first."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = nn.ModuleDict(dict(wte=nn.Embedding(5, 3), f=nn.Linear(3, 3)))
        self.lm_head = nn.Linear(3, 5, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        for name, p in self.named_parameters():
            if "wte" in name:
                nn.init.constant_(p, 0.3)
            else:
                p.data.fill_(0.1)

    def forward(self, x):
        return self.lm_head(self.transformer.f(self.transformer.wte(x)))


model = Model()
print(model(torch.tensor([0, 1])).sum().item())
