# also: nnx, linen
"""Optimizers of a program whose helpers decide, change what they are given, or are given states and options."""

import math

import torch
import torch.nn as nn
from torch.optim import Optimizer

x = torch.cos(torch.arange(40.0)).view(10, 4)
y = torch.sin(torch.arange(20.0)).view(10, 2)


def _smoothed(average, new, beta=0.9):
    average.mul_(beta).add_(new, alpha=1 - beta)


def _scaled(update, factor, out):
    factor += 1
    torch.mul(update, factor, out=out)


class Factored(Optimizer):
    """Learning rates of their own, averages of rows and columns, and a result in a tensor that is given."""

    def __init__(self, params, lr=None, relative=True, beta=0.9):
        super().__init__(params, dict(lr=lr, relative=relative, beta=beta))

    def rate(self, options, state, least=0.01):
        rate = options["lr"]
        if options["relative"]:
            least = max(least, 0.02)
            rate = max(least, 0.1 / math.sqrt(state["step"]))
        return rate * max(0.5, state["size"])

    def kinds(self, group, shape):
        is_factored = len(shape) >= 2
        return is_factored, group["beta"] is not None

    @staticmethod
    def size(tensor):
        return tensor.norm(2) / tensor.numel() ** 0.5

    def root(self, row, column, output):
        torch.mul((row / row.mean(dim=-1)).rsqrt_().unsqueeze(-1), column.unsqueeze(-2).rsqrt(), out=output)

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad
                state = self.state[p]
                factored, has_average = self.kinds(group, grad.shape)
                if len(state) == 0:
                    state["step"] = 0
                    if has_average:
                        state["average"] = torch.zeros_like(grad)
                    if factored:
                        state["row"] = torch.zeros(grad.shape[:-1])
                        state["column"] = torch.zeros(grad.shape[:-2] + grad.shape[-1:])
                    else:
                        state["square"] = torch.zeros_like(grad)
                state["step"] += 1
                state["size"] = self.size(p)
                lr = self.rate(group, state)
                update = grad**2 + 1e-8
                if factored:
                    row, column = state["row"], state["column"]
                    _smoothed(row, update.mean(dim=-1))
                    _smoothed(column, update.mean(dim=-2), beta=0.8)
                    self.root(row, column, update)
                    update.mul_(grad)
                else:
                    square = state["square"]
                    _smoothed(square, update)
                    torch.rsqrt(square, out=update).mul_(grad)
                _scaled(update, lr, update)
                if has_average:
                    _smoothed(state["average"], update, group["beta"])
                    update = state["average"]
                p.add_(-0.1 * update)


class Projected(Optimizer):
    """A loop over views that ends where one of them is right, and a change of what a caller has."""

    def __init__(self, params, lr=0.1, delta=0.5):
        super().__init__(params, dict(lr=lr, delta=delta))

    def _rows(self, x):
        return x.view(x.size(0), -1)

    def _whole(self, x):
        return x.view(1, -1)

    def _cosine(self, a, b, view):
        a = view(a)
        b = view(b)
        return (a * b).sum(dim=1).abs() / (a.norm(dim=1).add_(1e-8) * b.norm(dim=1))

    def _projected(self, p, grad, update, delta):
        ratio = 1
        for view in [self._rows, self._whole]:
            cosine = self._cosine(grad, p.data, view)
            if cosine.max() < delta / math.sqrt(view(p.data).size(1)):
                normal = p.data / p.data.norm()
                update -= normal * (normal * update).sum()
                ratio = 0.1
                return update, ratio
        return update, ratio

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                update = p.grad * 0.5
                kept = update
                ratio = 1
                if p.dim() > 1:
                    update, ratio = self._projected(p, p.grad, update, group["delta"])
                p.mul_(1 - group["lr"] * 0.1 * ratio)
                p.add_(update + kept, alpha=-group["lr"])


class Whole(Optimizer):
    """All that a step does to a parameter is a method, which has the state."""

    def __init__(self, params, lr=0.1, limit=0.3):
        super().__init__(params, dict(lr=lr))
        self.limit = limit

    def _limited(self, update):
        if update.norm() > self.limit:
            return update * (self.limit / update.norm())
        return update

    def _update(self, p, group):
        state = self.state[p]
        if "m" not in state:
            state["m"] = p.grad.clone()
        state["m"].mul_(0.9).add_(p.grad)
        p.sub_(self._limited(state["m"]) * group["lr"])

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, group)


class Outer(Optimizer):
    """A helper gives back what it has computed of the state, which is changed then; the state is not."""

    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @staticmethod
    def _outer(row, column):
        return torch.mm(row.unsqueeze(-1), column.unsqueeze(0))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                update = p.grad * 1.0
                if p.dim() == 2:
                    if len(state) == 0:
                        state["row"] = torch.ones(p.shape[0])
                        state["column"] = torch.ones(p.shape[1])
                    row, column = state["row"], state["column"]
                    row.mul_(0.9).add_(p.grad.pow(2).mean(dim=1))
                    column.mul_(0.9).add_(p.grad.pow(2).mean(dim=0))
                    update = self._outer(row, column)
                    update.rsqrt_().mul_(p.grad)
                p.sub_(update * group["lr"])


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
train("factored", model, Factored(model.parameters()))
model = made()
train("without an average", model, Factored(model.parameters(), lr=0.05, relative=False, beta=None))
model = made()
train("projected", model, Projected(model.parameters()))
model = made()
train("often projected", model, Projected(model.parameters(), delta=5.0))
model = made()
train("whole", model, Whole(model.parameters()))
model = made()
train("outer", model, Outer(model.parameters()))
