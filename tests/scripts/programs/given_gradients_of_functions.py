"""Functions that give a gradient to begin with, and ask for those of their tensors."""

import torch


def check(x, w, g):
    x = x.clone().requires_grad_()
    w = w.clone().requires_grad_()
    y = (x @ w).tanh()
    y.backward(g)
    return x.grad, w.grad


def check_two(x, g):
    x = x.clone().requires_grad_()
    y = x.exp()
    y.backward(gradient=g * 2)
    return x.grad


x = torch.linspace(-1, 1, 6).view(2, 3)
w = torch.linspace(0, 1, 6).view(3, 2)
g = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
for r in (*check(x, w, g), check_two(x, x)):
    print([round(v, 3) for v in r.flatten().tolist()])
