# flagged: T2J303, also: nnx, linen
"""A function puts another model into the variable of the file, which it reads beside the model that it is given."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def make(k):
    net = nn.Linear(4, 2)
    nn.init.constant_(net.weight, 0.1 * k)
    nn.init.constant_(net.bias, 0.2)
    return net


x = torch.linspace(-1, 1, 24).view(6, 4)
y = torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)
net = make(1)


def reset():
    global net
    net = make(3)


def run(model):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = F.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net(x).sum().item())
    reset()
    print(model(x).sum().item(), net(x).sum().item())


run(net)
