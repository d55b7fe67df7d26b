import torch
from torch.optim import Optimizer


class Halved(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    def halved(self, grad):
        while grad.norm() > 1:
            grad = grad / 2
        return grad

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(self.halved(p.grad), alpha=-group["lr"])


class Reached(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    def grown(self, state):
        state["step"] += 1
        return state["step"]

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state.setdefault("step", 0)
                rate = group["lr"] / self.grown(state) if p.dim() > 1 else group["lr"]
                p.sub_(p.grad * rate)


class Chosen(Optimizer):
    def __init__(self, params, lr=0.1, flips=False):
        super().__init__(params, dict(lr=lr, flips=flips))

    def turned(self, grad, flips, other=None):
        if other is None:
            other = -grad
        return other if flips else grad

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(self.turned(p.grad, group["flips"]), alpha=-group["lr"])


class Doubled(Chosen):  # T2J206
    def turned(self, grad, flips, other=None):
        return 2 * grad
