# also: nnx, linen
"""Helpers that are given a value and what it was computed from, and differentiate it as often as they are asked to."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, 1))
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.2 + 0.1 * i)

    def forward(self, *points):
        return self.layers(torch.cat(points, dim=1))


def gradients(u, x, order=1):
    if order == 1:
        return torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True, only_inputs=True)[0]
    else:
        return gradients(gradients(u, x), x, order=order - 1)


def derivative(output: torch.Tensor, input: torch.Tensor, order: int = 1) -> torch.Tensor:
    value = output
    for _ in range(order):
        value = torch.autograd.grad(
            value, input, grad_outputs=torch.ones_like(input), create_graph=True, retain_graph=True
        )[0]
    return value


def df_dx(net, x, t, order: int = 1):
    return derivative(net(x, t), x, order=order)


def df_dt(net, x, t, order: int = 1):
    return derivative(net(x, t), t, order=order)


def interior(u, n=6):
    x = torch.linspace(0, 1, n).view(-1, 1).requires_grad_(True)
    y = torch.linspace(1, 2, n).view(-1, 1).requires_grad_(True)
    value = u(x, y)
    return ((gradients(value, x, 2) - gradients(value, y, 3) - torch.exp(-y)) ** 2).mean()


def wave(net, x, t, c=2.0):
    return (df_dx(net, x, t, order=2) - (1 / c**2) * df_dt(net, x, t, order=2) + df_dt(net, x, t)).pow(2).mean()


net = Net(2, 5)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.linspace(0, 1, 5, requires_grad=True).reshape(-1, 1)
t = torch.linspace(0, 2, 5, requires_grad=True).reshape(-1, 1)
for step in range(3):
    loss = interior(net) + wave(net, x, t)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
