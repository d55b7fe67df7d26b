# also: nnx
"""Optimizers named by the modules of torch that hold them: their base, asked for and derived from."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.adagrad import Adagrad
from torch.optim.optimizer import Optimizer
from torch.optim.rmsprop import RMSprop

x = torch.linspace(-1, 1.5, 12).reshape(4, 3)
y = torch.sin(x[:, :1] * 3)


class Heavy(Optimizer):
    def __init__(self, params, lr=0.1, momentum=0.9):
        super(Heavy, self).__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["kept"] = torch.zeros_like(p)
                kept = state["kept"]
                kept.mul_(group["momentum"]).add_(p.grad)
                p.add_(kept, alpha=-group["lr"])


def make():
    net = nn.Linear(3, 1)
    nn.init.constant_(net.weight, 0.3)
    nn.init.constant_(net.bias, -0.1)
    return net


def train(net, optimizer):
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise TypeError(optimizer)
    for _ in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    print(loss.item(), net.weight.sum().item(), net.bias.item())


first, second, third = make(), make(), make()
train(first, Heavy(first.parameters()))
train(second, Adagrad(second.parameters(), lr=0.1))
train(third, RMSprop(third.parameters(), lr=0.02))
