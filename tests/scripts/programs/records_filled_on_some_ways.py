# also: nnx, linen
"""Records of modules that are filled under names on some ways, and looked at from outside."""

import torch
from torch import nn
class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(2, 2)
        self.outputs = dict()
    def forward(self, x, long=False):
        mu = self.trunk(x)
        self.outputs['mu'] = mu
        if long:
            self.outputs['square'] = mu ** 2
        return mu
class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = Actor()
        self.info = {}
    def forward(self, x, long):
        y = self.actor(x, long)
        self.info["y"] = y.detach()
        return y
    def log(self):
        print(sorted(self.actor.outputs), len(self.actor.outputs), self.info["y"].sum().item())
        for k in self.actor.outputs:
            print(k)
p = Pair()
for q in p.parameters():
    q.data.fill_(0.1)
p(torch.ones(2, 2), False)
p.log()
p(torch.ones(2, 2), True)
p.log()
print(p.actor.outputs["square"].tolist())
