"""torch keeps gradients with the parameters and adds to them: what a helper leaves there, others meet."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def make():
    model = nn.Linear(3, 3)
    for p in model.parameters():
        p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def sensitivity(model, x):
    model.zero_grad()
    (model(x) ** 2).sum().backward()
    return model.weight.grad.norm()


def case_cleared_before_and_behind(x, y):
    model, optimizer = make()
    found = []
    for _ in range(3):
        found.append(sensitivity(model, x).item())
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
    return found, model.weight.detach()


def regularize(model):
    (0.1 * model.weight.pow(2).sum()).backward()


def case_added_to_a_step(x, y):
    model, optimizer = make()
    for _ in range(3):
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        regularize(model)
        optimizer.step()
    return model.weight.detach()


def measured(model, x):
    (model(x) ** 2).sum().backward()  # T2J500
    return model.weight.grad.norm()  # T2J503


def case_met_by_a_helper(x, y):
    model, optimizer = make()
    found = []
    for _ in range(3):
        found.append(measured(model, x).item())
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
    return found


def case_by_hand(x, y):
    model, _ = make()
    for _ in range(3):
        F.mse_loss(model(x), y).backward()
        with torch.no_grad():
            for p in model.parameters():
                p.data.sub_(0.1 * p.grad)
                p.grad = None
    return model.weight.detach()
