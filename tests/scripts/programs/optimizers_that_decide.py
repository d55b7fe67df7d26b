# also: nnx, linen
"""Optimizers of a program whose steps decide on norms and on what they have counted: both ways are computed."""

import math

import torch
import torch.nn as nn
from torch.optim import Optimizer

x = torch.cos(torch.arange(20.0)).view(5, 4)
y = torch.sin(torch.arange(10.0)).view(5, 2)


class LayerRate(Optimizer):
    """A rate for each parameter, from its norm."""

    def __init__(self, params, lr=0.1, momentum=0.9, weight_decay=0.01, trust=0.02, nesterov=False):
        defaults = dict(lr=lr, momentum=momentum, weight_decay=weight_decay, trust=trust, nesterov=nesterov)
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad
                p_norm = torch.norm(p.data)
                g_norm = torch.norm(p.grad.data)
                if group["weight_decay"] != 0:
                    if p_norm != 0 and g_norm != 0:
                        rate = p_norm / (g_norm + p_norm * group["weight_decay"] + 1e-8)
                        rate *= group["trust"]
                        d_p = d_p.add(p, alpha=group["weight_decay"])
                        d_p *= rate
                if group["momentum"] != 0:
                    state = self.state[p]
                    if "buffer" not in state:
                        buf = state["buffer"] = torch.clone(d_p).detach()
                    else:
                        buf = state["buffer"]
                        buf.mul_(group["momentum"]).add_(d_p)
                    d_p = d_p.add(buf, alpha=group["momentum"]) if group["nesterov"] else buf
                p.add_(d_p, alpha=-group["lr"])


class Trusted(Optimizer):
    def __init__(self, params, lr=0.01, betas=(0.9, 0.99), adam=False):
        super().__init__(params, dict(lr=lr, betas=betas))
        self.adam = adam

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["mean"] = torch.zeros_like(p.data)
                    state["square"] = torch.zeros([])
                mean, square = state["mean"], state["square"]
                beta1, beta2 = group["betas"]
                state["step"] += 1
                mean.mul_(beta1).add_(grad, alpha=1 - beta1)
                if square == 0:
                    square.copy_(grad.pow(2).sum())
                else:
                    square.mul_(beta2).add_(grad.pow(2).sum(), alpha=1 - beta2)
                update = mean / square.sqrt().add(1e-8)
                weight_norm = p.data.norm().clamp(0, 10)
                update_norm = update.norm()
                if weight_norm == 0 or update_norm == 0:
                    ratio = 1
                elif not weight_norm > 0.5:
                    ratio = 0.5
                else:
                    ratio = weight_norm / update_norm
                state["ratio"] = ratio
                if self.adam:
                    ratio = 1
                p.data.add_(update, alpha=-group["lr"] * ratio)


class Rectified(Optimizer):
    def __init__(self, params, lr=0.01, betas=(0.9, 0.9), decay=0.0, amsgrad=False):
        super().__init__(params, dict(lr=lr, betas=betas, decay=decay, amsgrad=amsgrad))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            amsgrad = group["amsgrad"]
            for p in group["params"]:
                grad = p.grad
                if grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["mean"] = torch.zeros_like(p)
                    state["square"] = torch.zeros_like(p)
                    if amsgrad:
                        state["largest"] = torch.zeros_like(p)
                mean, square = state["mean"], state["square"]
                if amsgrad:
                    largest = state["largest"]
                beta1, beta2 = group["betas"]
                state["step"] += 1
                square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
                mean.mul_(beta1).add_(grad, alpha=1 - beta1)
                if amsgrad:
                    torch.max(largest, square, out=largest)
                    square = largest
                power = beta2 ** state["step"]
                longest = 2 / (1 - beta2) - 1
                length = longest - 2 * state["step"] * power / (1 - power)
                if group["decay"] != 0:
                    p.mul_(1 - group["decay"] * group["lr"])
                if length >= 4.5:
                    rect = math.sqrt(
                        (1 - power) * (length - 4) / (longest - 4) * (length - 2) / length * longest / (longest - 2)
                    )
                    top = square.sqrt().add_(1e-8)
                    p.addcdiv_(mean, top, value=-group["lr"] * rect / (1 - beta1 ** state["step"]))
                else:
                    p.add_(mean, alpha=-group["lr"] / (1 - beta1 ** state["step"]))


class Cautious(Optimizer):
    """Each parameter goes one way or the other."""

    def __init__(self, params, lr=0.01):
        super().__init__(params, dict(lr=lr, waits=lambda p: p.ndim == 1))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                step = p.grad
                if g["waits"] is None or not g["waits"](p):
                    step = step.sign()
                scale = 2.0 if step.norm() > 1 else 0.5
                p.add_(step, alpha=-g["lr"] * scale)


def train(kind, **options):
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * (0.4 if p.ndim > 1 else 0.0))
    optimizer = kind(model.parameters(), **options)
    for _ in range(8):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(kind.__name__, loss.item(), *[p.abs().sum().item() for p in model.parameters()])


train(LayerRate)
train(LayerRate, nesterov=True)
train(Trusted)
train(Trusted, adam=True)
train(Rectified)
train(Rectified, decay=0.1, amsgrad=True)
train(Cautious)
