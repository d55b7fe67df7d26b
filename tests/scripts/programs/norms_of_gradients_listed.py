# also: nnx, linen
"""Norms of gradients by functions that choose the parameters with a gradient first: filters, lists under other names."""

import torch
import torch.nn as nn


def total_norm(parameters, norm_type=2):
    if isinstance(parameters, torch.Tensor):
        parameters = [parameters]
    parameters = list(filter(lambda p: p.grad is not None, parameters))
    norm_type = float(norm_type)
    total = 0.0
    for p in parameters:
        param_norm = p.grad.data.norm(norm_type)
        total += param_norm.item() ** norm_type
    return total ** (1.0 / norm_type)


def largest(parameters):
    with_gradients = [p for p in parameters if p.grad is not None]
    if len(with_gradients) == 0:
        return 0.0
    result = 0.0
    for p in with_gradients:
        result = max(result, p.grad.abs().max().item())
    return result


def counted(parameters):
    parameters = [p for p in parameters if p.grad is not None]
    for p in parameters:
        print(tuple(p.grad.shape), round(p.grad.sum().item(), 4))
    return len(parameters)


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
for number, parameter in enumerate(net.parameters()):
    nn.init.constant_(parameter, 0.2 + 0.1 * number)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.01, eps=1e-3)
x = torch.arange(12.0).reshape(4, 3)
for step in range(3):
    optimizer.zero_grad()
    loss = (net(x) - 3).pow(2).mean()
    loss.backward()
    print(round(total_norm(net.parameters()), 4), round(total_norm(net.parameters(), 1), 4), round(largest(net.parameters()), 4))
    if step == 1:
        print(counted(net.parameters()))
    optimizer.step()
    print(round(loss.item(), 4))
