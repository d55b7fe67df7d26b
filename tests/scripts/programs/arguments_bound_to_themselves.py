# also: nnx
"""An argument that a function binds to itself, as a number of rounds."""

import torch


def estimate(x, rounds=2):
    rounds = rounds
    total = torch.zeros(rounds)
    for i in range(rounds):
        v = torch.ones(rounds, 2) * (i + 1)
        total = total + (v * x.sum()).sum(1)
    return total / rounds


print(estimate(torch.arange(4.0)).sum().item(), estimate(torch.arange(4.0), 3).sum().item())
