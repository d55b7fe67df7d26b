# also: nnx, linen
"""A second scheduler for one optimizer goes on from the present learning rate."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import lr_scheduler

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Linear(3, 2)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def make_scheduler(kind, optimizer):
    if kind == "step":
        return lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    if kind == "lin":
        return lr_scheduler.LinearLR(optimizer, 0.5, total_iters=3)
    if kind == "cos":
        return lr_scheduler.CosineAnnealingLR(optimizer, 5)
    if kind == "exp":
        return lr_scheduler.ExponentialLR(optimizer, 0.5)
    if kind == "poly":
        return lr_scheduler.PolynomialLR(optimizer, 4)
    if kind == "multi":
        return lr_scheduler.MultiStepLR(optimizer, [1, 2])
    return lr_scheduler.ConstantLR(optimizer, 0.5, 2)


def train(model, opt, sched):
    for i in range(3):
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(loss.item(), opt.param_groups[0]["lr"])


for kind in ("step", "lin", "cos", "exp", "poly", "multi", "const"):
    model = make()
    opt = torch.optim.SGD(model.parameters(), lr=0.4)
    print(kind)
    train(model, opt, make_scheduler(kind, opt))
    train(model, opt, make_scheduler(kind, opt))
