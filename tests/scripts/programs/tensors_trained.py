# also: nnx, linen
"""Optimizers of tensors that stand by themselves, alone and beside models; one at the level of the module."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.arange(12).float().view(3, 4) / 12
y = torch.tensor([0.5, -1.0, 2.0])


def plain():
    w = torch.tensor([0.1, -0.2, 0.3, 0.4], requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.Adam([w, b], lr=0.1)
    for _ in range(4):
        optimizer.zero_grad()
        loss = ((x @ w + b - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print(w.detach().numpy(), b.item())


def mixed():
    model = nn.Linear(4, 1)
    nn.init.constant_(model.weight, 0.1)
    nn.init.zeros_(model.bias)
    scale = nn.Parameter(torch.tensor(2.0))
    optimizer = torch.optim.SGD(list(model.parameters()) + [scale], lr=0.1, momentum=0.9)
    for _ in range(4):
        loss = F.mse_loss(model(x).squeeze(1) * scale, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print(model.weight.sum().item(), scale.item())


def one():
    image = x.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([image], lr=0.01)
    for _ in range(3):
        loss = (image.sum(1) - y).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print(image.sum().item())


plain()
mixed()
one()

log_alpha = torch.zeros(1, requires_grad=True)
a_optimizer = torch.optim.Adam([log_alpha], lr=0.1)
for i in range(3):
    log_pi = x.sum(1) + i
    alpha_loss = (-log_alpha.exp() * (log_pi + 2.0)).mean()
    a_optimizer.zero_grad()
    alpha_loss.backward()
    a_optimizer.step()
    alpha = log_alpha.exp().item()
    print(alpha)
