# also: nnx, linen
"""Optimizers that a program writes itself, whose steps keep or change gradients that are read before, and given up afterwards."""

import torch
import torch.nn as nn
from torch.optim.optimizer import Optimizer

class Diff(Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["previous"] = torch.zeros_like(p.data)
                diff = state["previous"] - grad
                state["previous"] = grad
                p.data.add_(diff, alpha=group["lr"])

class Decayed(Optimizer):
    def __init__(self, params, lr=0.1, weight_decay=0.5):
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay))

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                grad.add_(p.data, alpha=group["weight_decay"])
                p.data.add_(grad, alpha=-group["lr"])

net = nn.Linear(3, 2)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape))
optimizer = Diff(net.parameters())
x = torch.sin(torch.arange(12.0)).view(4, 3)
for _ in range(4):
    optimizer.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    norm = sum(p.grad.abs().sum().item() for p in net.parameters())
    optimizer.step()
    print(loss.item(), norm)

optimizer = Decayed(net.parameters())
for _ in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    print(loss.item(), net.weight.grad.sum().item())
    optimizer.step()
print(net.weight.sum().item())
