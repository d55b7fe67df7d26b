# also: nnx, linen
"""Optimizers that a program writes itself, with groups, whose rates are multiplied."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import lr_scheduler

torch.manual_seed(0)


class HeavyBall(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1, momentum=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["velocity"] = torch.zeros_like(p)
                state["velocity"].mul_(group["momentum"]).add_(p.grad)
                p.add_(state["velocity"], alpha=-group["lr"])


x = torch.arange(12.0).reshape(4, 3) / 12
y = torch.arange(8.0).reshape(4, 2) / 8


def make():
    net = nn.Linear(3, 2)
    with torch.no_grad():
        net.weight.copy_(torch.arange(6.0).reshape(2, 3) / 6)
        net.bias.fill_(0.1)
    return net


net = make()
optimizer = HeavyBall([{"params": [net.weight], "lr": 0.02}, {"params": [net.bias]}], lr=0.05)
warm = lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=2)
for epoch in range(4):
    optimizer.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    warm.step()
    print(f"{loss.item():.5f}", [round(rate, 5) for rate in warm.get_last_lr()])
