# also: nnx, linen
"""Optimizers of a program whose steps have loops over options, sizes and numbers, with an entry of the state for each round."""

import torch
import torch.nn as nn
from torch.optim import Optimizer

x = torch.cos(torch.arange(40.0)).view(10, 4)
y = torch.sin(torch.arange(20.0)).view(10, 2)


class Aggregated(Optimizer):
    """A momentum for each factor."""

    def __init__(self, params, lr=0.05, betas=(0.0, 0.9, 0.99)):
        super().__init__(params, dict(lr=lr, betas=betas))

    def step(self, closure=None):
        for group in self.param_groups:
            betas = group["betas"]
            total = float(len(betas))
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                state = self.state[p]
                if "buffers" not in state:
                    state["buffers"] = {}
                    for beta in betas:
                        state["buffers"][beta] = torch.zeros_like(p.data)
                for beta in betas:
                    buffer = state["buffers"][beta]
                    buffer.mul_(beta).add_(d_p)
                    p.data.sub_(buffer, alpha=group["lr"] / total)


class Preconditioned(Optimizer):
    """A matrix for each dimension, with names that are made of numbers; what one round changes the next one takes."""

    def __init__(self, params, lr=0.05):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    for number, size in enumerate(p.size()):
                        state["matrix_{}".format(number)] = torch.eye(size) * 0.1
                grad = p.grad
                for number, size in enumerate(p.size()):
                    matrix = state["matrix_{}".format(number)]
                    grad = grad.transpose(0, number).contiguous()
                    shape = grad.size()
                    grad = grad.view(size, -1)
                    matrix.add_(grad @ grad.t())
                    grad = (matrix @ grad).view(shape).transpose(0, number)
                update = grad * 2
                for _ in range(2):
                    update.mul_(0.9)
                    if update.norm() > 0.05:
                        update = update * 0.8
                p.sub_(update * group["lr"] + p * 0.01)


def made():
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) + number).view(p.shape) * 0.5)
    return model


def train(name, model, optimizer):
    for _ in range(6):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(name, loss.item())


model = made()
train("aggregated", model, Aggregated(model.parameters()))
model = made()
train("preconditioned", model, Preconditioned(model.parameters()))
