import torch
from torch.optim import Optimizer


class Projected(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1, eps=1e-8):
        super().__init__(params, dict(lr=lr, eps=eps))

    def projected(self, p, grad, eps):
        cosine = (p * grad).sum() / (p.norm() * grad.norm() + eps)
        if cosine < 0.1:
            return grad - p * cosine
        return grad

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = self.projected(p, p.grad, group["eps"])
                p.add_(grad, alpha=-group["lr"])


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
