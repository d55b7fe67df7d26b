import torch
import torch.nn as nn

total = torch.zeros(3)
net = nn.Linear(3, 1)
with torch.no_grad():
    net.weight.fill_(0.3)
    net.bias.fill_(0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


def bump(x):
    total.add_(x)


def fill(where, part):
    where[0] += part
    return part * 2


def train(x):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()
