# also: nnx
"""An optimizer of a program whose step computes with methods of tensors, inside of products, quotients and other calls."""

import torch
from torch import nn
from torch.optim import Optimizer


class Own(Optimizer):
    def __init__(self, params, lr=0.01):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["square"] = torch.zeros_like(p.data)
                square = state["square"]
                square.mul_(0.9).add_(grad.pow(2), alpha=0.1)
                size = grad.pow(2).sum().sqrt()
                step = 2 * grad.add(p.data, alpha=0.1) / square.sqrt().add_(1e-2)
                step = step - grad.sub(0.5) * grad.mul(2).add(1)
                step = step / square.add(1).mean() ** 2 - grad.neg().pow(2)
                p.data.add_(step / size.add(1), alpha=-group["lr"])


net = nn.Linear(2, 2)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.cos(torch.arange(float(p.numel()))).reshape(p.shape))
opt = Own(net.parameters(), lr=0.05)
x = torch.sin(torch.arange(6.0)).reshape(3, 2)
for _ in range(4):
    opt.zero_grad()
    loss = (net(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item())
