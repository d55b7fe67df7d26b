# flagged: T2J303
"""Arrays of NumPy that have the memory of gradients are changed in place: the optimizer uses the changed ones."""

import torch
import torch.nn as nn


def share_out(module, n):
    for p in module.parameters():
        array = p.grad.numpy()
        array[:] = array / n


def halve(module):
    for p in module.parameters():
        array = p.data.numpy()
        array *= 0.5


net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.2)
nn.init.constant_(net.bias, 0.1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
for _ in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    share_out(net, 2)
    optimizer.step()
halve(net)
print(net.weight.sum().item(), net.bias.item())
