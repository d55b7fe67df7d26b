# also: nnx, linen
"""Gradients turned on where training begins, and off where a model is tested."""

import torch
from torch import nn
net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.1)
def train():
    torch.set_grad_enabled(True)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for k in range(2):
        loss = (net(torch.ones(3, 2)) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()
def test():
    torch.set_grad_enabled(False)
    net.eval()
    out = net(torch.ones(3, 2))
    return out.sum().item()
print(train())
print(test())
