import torch
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
