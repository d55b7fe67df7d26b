# flagged: T2J005
"""A function that is given optimizers in a tuple, whose states it is not given."""

import torch
import torch.nn as nn


def fill(net):
    for i, p in enumerate(net.parameters()):
        nn.init.constant_(p, 0.1 * (i + 1))
    return net


def train(nets, optims):
    a, b = nets
    oa, ob = optims
    x = torch.arange(6.0).reshape(2, 3) / 10
    for _ in range(3):
        oa.zero_grad()
        loss = b(a(x)).pow(2).sum()
        loss.backward()
        oa.step()
        ob.zero_grad()
        loss_b = (b(a(x)) - 1).pow(2).sum()
        loss_b.backward()
        ob.step()
        print(round(loss.item(), 4), round(loss_b.item(), 4))


g, d = fill(nn.Linear(3, 3)), fill(nn.Linear(3, 2))
train((g, d), (torch.optim.Adam(g.parameters(), 0.01), torch.optim.SGD(d.parameters(), 0.01)))
print(g.weight.sum().item(), d.weight.sum().item())
