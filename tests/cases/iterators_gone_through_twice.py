"""Parameters that a function is given as they come, which are gone after the first pass."""

import torch.nn as nn


def size(parameters):
    total = 0
    for p in parameters:
        total += p.numel()
    for p in parameters:  # T2J200
        total += p.numel()
    return total


def either(parameters, twice):
    total = 0
    if twice:
        for p in parameters:
            total += 2 * p.numel()
    else:
        for p in parameters:
            total += p.numel()
    return total


model = nn.Linear(3, 4)
print(size(model.parameters()))
print(either(model.parameters(), True), either(list(model.parameters()), False))
