# also: nnx, linen
"""A model of another file, which a function of that binds by `global`."""

import torch
import shared

shared.init()
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
y = torch.tensor([0, 1, 1, 0])
print(shared.step(x, y))
print(shared.step(x, y))
print(shared.counter)

print(shared.model(x).sum().item())
print(sum(p.sum().item() for p in shared.model.parameters()))
