# also: nnx, linen
"""What an actor computes on the way, kept under names to be logged behind training steps."""

import torch
from torch import nn
class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(2, 2)
        self.outputs = dict()
    def forward(self, x):
        mu, log_std = self.trunk(x).chunk(2, dim=-1)
        self.outputs["mu"] = mu
        self.outputs["std"] = log_std.exp()
        return mu * log_std
    def log(self):
        for k, v in self.outputs.items():
            print(k, v.mean().item())
class Agent:
    def __init__(self):
        self.actor = Actor()
        for p in self.actor.parameters():
            p.data.fill_(0.1)
        self.opt = torch.optim.Adam(self.actor.parameters(), lr=0.1)
    def update(self, x):
        out = self.actor(x)
        loss = (out ** 2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.actor.log()
a = Agent()
for k in range(2):
    a.update(torch.ones(3, 2))
