"""Gradients between two points of a program, of first and second order."""

import torch
import torch.nn as nn
from torch.autograd import grad
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(2, 8)
        self.l2 = nn.Linear(8, 1)

    def block(self, h):
        return torch.tanh(self.l1(h))

    def forward(self, x, t):
        h = torch.cat([x, t], dim=1)
        h = checkpoint(self.block, h, use_reentrant=False)
        return checkpoint(self.l2, h, use_reentrant=False)


def gradient_penalty(critic, real, fake):
    alpha = torch.full((real.size(0), 1), 0.3)
    interpolates = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    d_interpolates = critic(interpolates, interpolates)
    gradients = torch.autograd.grad(
        outputs=d_interpolates,
        inputs=interpolates,
        grad_outputs=torch.ones_like(d_interpolates),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


def pinn(net, x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = net(x, t)
    u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True)[0]
    u_t = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), create_graph=True)[0]
    f = u_t + u * u_x - 0.1 * u_xx
    return (f ** 2).mean()


def both(w):
    x = w.detach() * 2
    x.requires_grad_()
    h = x * x
    h = h * w
    k = h.sin()
    y = k.sum()
    (gx,) = grad(y, x, retain_graph=True)
    z = (gx * w).sum() + h.sum()
    return z


def energy(x, y):
    gx, gy = torch.autograd.grad((x * y.sin()).sum(), [x, y], create_graph=True)
    return gx + gy


def main():
    x = torch.randn(4, 1)
    t = torch.randn(4, 1)
    net = Net()
    a = gradient_penalty(net, x, t)
    b = pinn(net, x, t)
    print(a, b, both(x), energy(x, t))
