# also: nnx, linen
"""Functions that are given `model.named_parameters()`, and look at the gradients of the step around their call."""

import torch
import torch.nn as nn


def plot_grad_flow(named_parameters):
    ave_grads, max_grads, layers = [], [], []
    for n, p in named_parameters:
        if p.requires_grad and ("bias" not in n):
            layers.append(n)
            ave_grads.append(p.grad.abs().mean().item())
            max_grads.append(p.grad.abs().max().item())
    print(layers, ave_grads, max_grads)


def log_gradients(named, rows, step):
    for name, param in named:
        if param.grad is not None:
            rows.append((step, name, round(param.grad.norm().item(), 4)))


def norms(parameters):
    total = 0.0
    for p in parameters:
        total += p.grad.data.norm(2).item() ** 2
    return total**0.5


net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 + 0.1 * i)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rows = []
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(torch.linspace(-1, 1, 12).reshape(4, 3)), torch.tensor([0, 1, 1, 0]))
    loss.backward()
    plot_grad_flow(net.named_parameters())
    log_gradients(net.named_parameters(), rows, step)
    print(loss.item(), norms(net.parameters()))
    optimizer.step()
print(rows)
