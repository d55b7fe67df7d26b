# also: nnx, linen
"""Optimizers that a program writes itself on top of torch.optim.Optimizer: states, groups, options, what is not trained."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import Optimizer

x = torch.linspace(-1, 1.7, 24).reshape(6, 4)
y = torch.sin(x[:, :2] * 3)


class SignMomentum(Optimizer):
    """The sign of an average."""

    def __init__(self, params, lr=1e-2, betas=(0.9, 0.99), weight_decay=0.0):
        if lr < 0.0:
            raise ValueError(f"no learning rate: {lr}")
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            first, second = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.data.mul_(1 - group["lr"] * group["weight_decay"])
                state = self.state[p]
                # nothing is kept before the first step
                if len(state) == 0:
                    state["average"] = torch.zeros_like(p)
                average = state["average"]
                update = average.clone().mul_(first).add(p.grad, alpha=1 - first).sign_()
                p.add_(update, alpha=-group["lr"])
                average.mul_(second).add_(p.grad, alpha=1 - second)
        return loss


class Heavy(Optimizer):
    def __init__(self, params, lr, momentum=0.0, nesterov=False, weight_decay=0.0):
        defaults = dict(lr=lr, momentum=momentum, nesterov=nesterov, weight_decay=weight_decay)
        super(Heavy, self).__init__(params, defaults)

    def __setstate__(self, state):
        super().__setstate__(state)

    def is_matrix(self, p):
        return p.ndim > 1

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            momentum = g["momentum"]
            for p in g["params"]:
                d = p.grad
                if d is None:
                    continue
                if g["weight_decay"] != 0 and self.is_matrix(p):
                    d = d.add(p, alpha=g["weight_decay"])
                if momentum != 0:
                    kept = self.state[p]
                    if "buffer" not in kept:
                        buffer = kept["buffer"] = torch.clone(d).detach()
                    else:
                        buffer = kept["buffer"]
                        buffer.mul_(momentum).add_(d)
                    if g["nesterov"]:
                        d = d.add(buffer, alpha=momentum)
                    else:
                        d = buffer
                p.add_(d, alpha=-g["lr"])


class Belief(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, largest=False):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, largest=largest))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    grad = p.grad.data
                    if grad.is_sparse:
                        raise RuntimeError("no sparse gradients")
                    state = self.state[p]
                    if len(state) == 0:
                        state["step"] = 0
                        state["m"], state["s"] = torch.zeros_like(p.data), torch.zeros_like(p.data)
                        if group["largest"]:
                            state["top"] = torch.zeros_like(p.data)
                    m, s = state["m"], state["s"]
                    b1, b2 = group["betas"]
                    state["step"] += 1
                    m.mul_(b1).add_(grad, alpha=1 - b1)
                    rest = grad - m
                    s.mul_(b2).addcmul_(rest, rest, value=1 - b2)
                    scale = math.sqrt(1 - b2 ** state["step"])
                    if group["largest"]:
                        top = state["top"]
                        torch.max(top, s, out=top)
                        below = (top.add_(group["eps"]).sqrt() / scale).add_(group["eps"])
                    else:
                        below = (s.sqrt() / scale).add_(group["eps"])
                    p.data.addcdiv_(m, below, value=-group["lr"] / (1 - b1 ** state["step"]))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(4, 3, 1)
        self.out = nn.Linear(3, 2)
        self.unused = nn.Linear(2, 2)

    def forward(self, x):
        return self.out(torch.tanh(self.conv(x[:, :, None])[:, :, 0]))


def make():
    model = Net()
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5 + 0.1 * i, p.numel()).reshape(p.shape))
    return model


def train(model, optimizer, steps=10):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(loss.item())
    for p in model.parameters():
        print(p.sum().item())


def by_classes():
    model = make()
    train(model, SignMomentum(model.parameters(), weight_decay=0.1))
    for options in [
        dict(lr=0.1),
        dict(lr=0.1, momentum=0.9),
        dict(lr=0.05, momentum=0.5, nesterov=True, weight_decay=0.2),
    ]:
        model = make()
        optimizer = Heavy(model.parameters(), **options)
        train(model, optimizer)
    for largest in [False, True]:
        model = make()
        optimizer = Belief(model.parameters(), lr=0.01, largest=largest)
        train(model, optimizer)


def by_groups():
    model = make()
    groups = [{"params": model.conv.parameters(), "lr": 0.3}, {"params": [model.out.weight], "weight_decay": 0.5}]
    optimizer = Heavy(groups, lr=0.1, momentum=0.9)
    for step in range(4):
        for group in optimizer.param_groups:
            group["lr"] = group["lr"] / (1 + step)
        print([g["lr"] for g in optimizer.param_groups], len(optimizer.param_groups[0]["params"]))
        train(model, optimizer, 2)


def of_some():
    model = make()
    for p in model.conv.parameters():
        p.requires_grad = False
    optimizer = Heavy(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1, momentum=0.9, weight_decay=0.1)
    train(model, optimizer)


def by_closure():
    model = make()
    optimizer = SignMomentum(model.parameters(), lr=0.02)
    for _ in range(5):

        def closure():
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            return loss

        loss = optimizer.step(closure)
        print(loss.item())


by_classes()
by_groups()
of_some()
by_closure()
