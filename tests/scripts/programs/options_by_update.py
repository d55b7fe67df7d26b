# also: nnx, linen
"""Learning rates that are given to the groups of an optimizer with the method of a dict."""

import numpy as np
import torch
import torch.nn as nn

net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.5)
nn.init.constant_(net.bias, 0.1)
opt = torch.optim.SGD(net.parameters(), lr=1.0, momentum=0.9)
schedule = lambda t: np.interp([t], [0, 2, 5], [0, 0.1, 0])[0]
x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])


def train(epoch, lr):
    opt.param_groups[0].update(lr=lr)
    loss = ((net(x) - epoch) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


for epoch in range(4):
    lr = schedule(epoch + 0.5)
    opt.param_groups[0].update(lr=lr)
    loss = (net(x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(epoch, loss.item(), net.weight.sum().item(), opt.param_groups[0]["lr"])
for epoch in range(3):
    print(train(epoch, 0.01 * epoch + 0.01))
