# also: nnx, linen
"""An optimizer of a program that keeps what it has computed of the learning rate in a list for the other parameters of a step."""

import math

import torch
import torch.nn as nn
from torch.optim.optimizer import Optimizer

x = torch.cos(torch.arange(40.0)).view(10, 4)
y = torch.sin(torch.arange(20.0)).view(10, 2)


class Rectified(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.0):
        if isinstance(params, (list, tuple)) and len(params) > 0 and isinstance(params[0], dict):
            for param in params:
                if "betas" in param and param["betas"] != betas:
                    param["buffer"] = [[None, None, None] for _ in range(10)]
        buffer = [[None, None, None] for _ in range(10)]
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, buffer=buffer))

    def step(self, closure=None):
        loss = None
        if closure is not None:
            loss = closure()
        for group in self.param_groups:
            lr = group["lr"]
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if not state:
                    state["step"] = 0
                    state["mean"] = torch.zeros_like(p.data)
                    state["square"] = torch.zeros_like(p.data)
                mean, square = state["mean"], state["square"]
                square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
                mean.mul_(beta1).add_(grad, alpha=1 - beta1)
                state["step"] += 1
                buffered = group["buffer"][int(state["step"] % 10)]
                if state["step"] == buffered[0]:
                    length, size = buffered[1], buffered[2]
                else:
                    buffered[0] = state["step"]
                    power = beta2 ** state["step"]
                    longest = 2 / (1 - beta2) - 1
                    length = longest - 2 * state["step"] * power / (1 - power)
                    buffered[1] = length
                    if length >= 5:
                        size = lr * math.sqrt((1 - power) * (length - 4) / (longest - 4)) / (1 - beta1 ** state["step"])
                    else:
                        size = lr / (1 - beta1 ** state["step"])
                    buffered[2] = size
                if group["weight_decay"] != 0:
                    p.data.add_(p.data, alpha=-group["weight_decay"] * lr)
                if length >= 5:
                    p.data.addcdiv_(mean, square.sqrt().add_(group["eps"]), value=-size)
                else:
                    p.data.add_(mean, alpha=-size)
        return loss


model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
with torch.no_grad():
    for number, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + number).view(p.shape) * 0.5)
optimizer = Rectified(model.parameters(), lr=0.05, weight_decay=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.5)
for _ in range(10):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(loss.item())
