import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def case_saliency(x: Tensor):
    x = x.detach().clone().requires_grad_(True)
    score = torch.sin(x).sum()
    score.backward()
    return x.grad.abs()


def case_two_leaves(x: Tensor):
    shift = torch.zeros(3, requires_grad=True)
    scale = torch.ones(3, requires_grad=True)
    loss = F.mse_loss(x * scale + shift, torch.ones_like(x))
    loss.backward()
    return shift.grad, scale.grad, loss.item()


def case_one_after_the_other(x: Tensor):
    a = x.clone().requires_grad_()
    loss = (a * a).sum()
    loss.backward()
    first = a.grad
    b = x.clone().requires_grad_()
    loss = torch.tanh(b).sum()
    loss.backward()
    return first + b.grad


def case_accumulated(x: Tensor):
    w = x.clone().requires_grad_()
    for _ in range(2):
        loss = (w * w).sum()
        loss.backward()  # T2J500
    return w.grad  # T2J503


def make_model():
    model = nn.Linear(3, 3)
    nn.init.constant_(model.weight, 0.25)
    model.weight.data[0] = torch.tensor([1.0, -1.0, 0.5])
    nn.init.zeros_(model.bias)
    return model


def fast_gradient_sign(model, x, target):
    x = x.clone().detach()
    x.requires_grad = True
    loss = F.mse_loss(model(x), target)
    model.zero_grad()
    loss.backward()
    return torch.clamp(x + 0.1 * x.grad.sign(), -1, 1).detach()


def case_attack(x: Tensor, y: Tensor):
    return fast_gradient_sign(make_model(), x, y)


def case_trained_on_attacks(x: Tensor, y: Tensor):
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        attacked = fast_gradient_sign(model, x, y)
        optimizer.zero_grad()
        loss = F.mse_loss(model(attacked), y)
        loss.backward()
        optimizer.step()
    return loss.detach(), model.weight.detach()


def case_projected(x: Tensor, y: Tensor):
    model = make_model()
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(3):
        loss = F.mse_loss(model(x + delta), y)
        loss.backward()
        delta.data = (delta + 0.05 * delta.grad.detach().sign()).clamp(-0.1, 0.1)
        delta.grad.zero_()
    return delta.detach()


def case_renewed_in_a_loop(x: Tensor, y: Tensor):
    model = make_model()
    x = x.clone()
    for _ in range(3):
        x.requires_grad_()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        x = (x - 0.5 * x.grad).detach()
    return x


def polluting(model, x, target):
    x = x.clone().requires_grad_()
    loss = F.mse_loss(model(x), target)
    loss.backward()  # T2J500
    return (x + x.grad).detach()  # T2J503


def case_attack_between_clearing_and_step(x: Tensor, y: Tensor):
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        attacked = polluting(model, x, y)
        loss = F.mse_loss(model(attacked), y)
        loss.backward()
        optimizer.step()
    return model.weight.detach()


def polluting_at_last(model, x, target):
    x = x.clone().requires_grad_()
    loss = F.mse_loss(model(x), target)
    loss.backward()  # T2J500
    return (x + x.grad).detach()  # T2J503


def case_cleared_behind_the_step(x: Tensor, y: Tensor):
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        attacked = polluting_at_last(model, x, y)
        loss = F.mse_loss(model(attacked), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return model.weight.detach()
