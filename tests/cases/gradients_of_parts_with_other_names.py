"""Gradients of single parameters that are changed by other names, or by means of the module that is differentiated."""

import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    net(torch.ones(2, 3)).pow(2).sum().backward()
    net[1].bias.grad *= net[0].bias.data.sum()  # T2J503
    held = net[0].bias.grad
    held *= 0.5  # T2J303
    opt.step()

other = nn.Linear(3, 2)
opt = torch.optim.SGD(other.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    other(torch.ones(2, 3)).pow(2).sum().backward()
    p = other.weight
    p.grad = p.grad * 3  # T2J503
    other.weight.grad, other.bias.grad = other.weight.grad * 2, other.bias.grad * 3  # T2J503
    opt.step()
