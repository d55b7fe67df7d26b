import torch
import torch.nn.functional as F
from torch.func import grad, vmap


def noisy(x):
    return (x + torch.randn_like(x)).sum()


def per_row(xs: torch.Tensor):
    return grad(noisy)(xs)  # T2J400


def in_a_lambda(xs: torch.Tensor):
    return grad(lambda x: F.dropout(x, 0.5).sum())(xs)  # T2J400


def drawn_in_rows(xs: torch.Tensor):
    return vmap(torch.sin, randomness="different")(xs)  # T2J201


def not_computed_here(u: torch.Tensor, x: torch.Tensor):
    return torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]  # T2J200


def perhaps_computed_from_it(u: torch.Tensor, x: torch.Tensor):
    v = u * x
    return torch.autograd.grad(v.sum(), x)[0]  # T2J200


def in_parts(x: torch.Tensor):
    y = x.sin()
    print(y)
    return torch.autograd.grad(y.sum(), x)[0]


def printed_between(x: torch.Tensor):
    for _ in range(2):
        y = x.sin()
        print(y)
        z = y.sum()
    return torch.autograd.grad(z, x)[0]  # T2J200


def several(x: torch.Tensor):
    y, z = x.sin(), x.cos()
    return torch.autograd.grad([y.sum(), z.sum()], x)  # T2J200
