# a model that functions alone bind, by `global`, and that goes by other names or gives its parameters away
import copy

import torch
import torch.nn as nn


def build():
    global net
    net = nn.Linear(3, 2)
    return copy.deepcopy(net.state_dict())


def halve():
    with torch.no_grad():
        for p in net.parameters():
            p.mul_(0.5)


def rewind(initial):
    for name, p in net.named_parameters():  # T2J303
        if "bias" in name:
            p.data = initial[name]


def train():
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.ones(2, 3)).sum().backward()
    optimizer.step()


initial = build()
old = net  # T2J303
halve()
rewind(initial)
train()
print(old(torch.ones(2, 3)), initial["bias"])
