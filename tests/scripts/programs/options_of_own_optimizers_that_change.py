# also: nnx, linen
"""Optimizers of a program that ask for options which it changes: both ways are computed."""

import torch
import torch.nn as nn
from torch.optim import Optimizer

x = torch.cos(torch.arange(20.0)).view(5, 4)


class Later(Optimizer):
    """What it does depends on how far it is, and on an option that the program changes."""

    def __init__(self, params, lr=0.01, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                state["step"] += 1
                if group["weight_decay"] != 0:
                    p.mul_(1 - group["weight_decay"])
                if state["step"] > 3:
                    p.sub_(p.grad * group["lr"])


model = nn.Linear(4, 2)
for p in model.parameters():
    nn.init.constant_(p, 0.3)
optimizer = Later(model.parameters())
for i in range(8):
    if i == 5:
        optimizer.param_groups[0]["weight_decay"] = 0.1
    optimizer.zero_grad()
    loss = (model(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
