# also: nnx
"""Lists of parameters that stand by themselves: the tensors that they are given become parameters."""

import torch
from torch import nn

x = torch.linspace(-1, 1, 8).reshape(4, 2)
y = x[:, 0] * 2 - x[:, 1] + 0.5
weights, biases = nn.ParameterList([torch.tensor([0.1, 0.2])]), nn.ParameterList(torch.zeros(1) for _ in range(2))
optimizer = torch.optim.SGD([*weights.parameters(), *biases.parameters()], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = ((x @ weights[0] + biases[0] + biases[1] - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item(), weights[0][0].item(), biases[1].item())
