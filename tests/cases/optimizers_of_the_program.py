"""Optimizers that a program writes itself, whose steps ask for more than shapes and options, or change what stands for two things."""

import torch
from torch.optim import Optimizer


class AsksForSteps(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                state["step"] += 1
                if state["step"] > 3:
                    raise StopIteration
                p.sub_(p.grad * group["lr"])


class TwoNames(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1, flag=True):
        super().__init__(params, dict(lr=lr, flag=flag))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buffer = self.state[p].setdefault("buffer", torch.zeros_like(p))
                if group["flag"]:
                    d = buffer
                else:
                    d = p.grad.clone()
                d.mul_(0.9)
                p.sub_(group["lr"] * d)


class KeepsTheFirst(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                state["step"] += 1  # T2J301
                if state["step"] == 1:
                    state["first"] = p.grad.clone()
                p.sub_(group["lr"] * state["first"])  # T2J301


class Noisy(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.sub_(group["lr"] * (p.grad + torch.randn_like(p)))


class ChangesOneOfTwo(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1, flag=True):
        super().__init__(params, dict(lr=lr, flag=flag))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                buffer = self.state[p].setdefault("buffer", torch.zeros_like(p))
                d = buffer if group["flag"] else p.grad
                buffer.mul_(0.9)  # T2J301
                p.sub_(group["lr"] * d)


class LeavesToTheNext(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            count = 0
            for p in group["params"]:
                count += 1
                p.sub_(p.grad * group["lr"] / count)


class ChangesByAnotherKey(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    for i in range(2):
                        state[f"m{i}"] = torch.zeros_like(p)
                first = state["m0"]
                for i in range(2):
                    state[f"m{i}"].mul_(0.9).add_(p.grad, alpha=i + 1)  # T2J301
                p.sub_(first * group["lr"])  # T2J301


class ChangesOnTheHost(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["buffer"] = torch.zeros_like(p)
                buffer = state["buffer"].cpu()
                buffer.mul_(0.9).add_(p.grad)  # T2J301
                p.sub_(group["lr"] * state["buffer"])  # T2J301
