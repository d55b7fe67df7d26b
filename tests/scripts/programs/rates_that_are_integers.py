# also: nnx
"""Learning rates that are integers when their optimizer is made, and fractions later."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def make():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.37 + k).reshape(p.shape) * 0.4)
    return model


def data(i):
    return torch.cos(torch.arange(24.0) * 0.3 + i).reshape(6, 4), torch.arange(6) % 3


def written():
    model = make()
    opt = torch.optim.SGD(model.parameters(), lr=0, momentum=0.9)
    for i in range(4):
        x, y = data(i)
        for group in opt.param_groups:
            group["lr"] = 0.05 * (i + 1)
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        print(loss.item(), opt.param_groups[0]["lr"])


def scheduled():
    model = make()
    opt = torch.optim.SGD(model.parameters(), lr=1)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.3, patience=0)
    for i in range(5):
        x, y = data(i)
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        sched.step(loss.item() + i)
        print(loss.item(), opt.param_groups[0]["lr"])


def multiplied():
    model = make()
    opt = torch.optim.SGD(model.parameters(), lr=1)
    sched = torch.optim.lr_scheduler.MultiplicativeLR(opt, lambda step: 0.5)
    for i in range(4):
        x, y = data(i)
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        sched.step()
        print(loss.item(), sched.get_last_lr()[0])


class Plain(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.add_(p.grad, alpha=-group["lr"])


def own():
    model = make()
    opt = Plain([{"params": [model[0].weight]}, {"params": model[2].parameters()}], lr=0)
    for i in range(3):
        x, y = data(i)
        for group in opt.param_groups:
            group["lr"] = 0.05 * (i + 1)
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        print(loss.item(), [g["lr"] for g in opt.param_groups])


written()
scheduled()
multiplied()
own()
