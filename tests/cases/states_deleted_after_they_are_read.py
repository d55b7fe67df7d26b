"""State dicts that are read once more behind a training step, and deleted then."""

import torch
from torch import nn


def kept(net, opt, x):
    for i in range(2):
        states = net.state_dict()  # T2J303
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(states["bias"].tolist())
    del states


net = nn.Linear(2, 1)
kept(net, torch.optim.SGD(net.parameters(), lr=0.1), torch.ones(1, 2))
