"""Nodes of the graph that torch records: printed they say nothing, asked for they are reported."""

import torch

x = torch.ones(3, requires_grad=True)
y = (x * 2).sum()
print(y, y.grad_fn)
print(f"y: {y.grad_fn.next_functions[0][0].name()}")
print("x", x.requires_grad, x.grad_fn)
if y.grad_fn is not None:  # T2J203
    print("recorded")
kept = y.grad_fn  # T2J203
