# also: nnx
"""The parameters of a model as one vector: read, penalized in the loss, and taken of a list of tensors."""

import torch
import torch.nn as nn
from torch.nn.utils import parameters_to_vector

model = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1))
for place, parameter in enumerate(model.parameters()):
    nn.init.constant_(parameter, 0.1 * (place + 1))
x = torch.arange(12.0).reshape(4, 3) / 10
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
before = parameters_to_vector(model.parameters()).detach().clone()
for _ in range(3):
    optimizer.zero_grad()
    penalty = parameters_to_vector(model.parameters()).pow(2).sum()
    loss = (model(x) ** 2).mean() + 0.01 * penalty
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
after = parameters_to_vector(model.parameters())
print(list(after.shape), round((after - before).norm().item(), 5), [round(value, 5) for value in after.tolist()])
print(parameters_to_vector([x, x[0] * 2]).sum().item())
print(round(parameters_to_vector(p for p in model[0].parameters()).sum().item(), 5))
