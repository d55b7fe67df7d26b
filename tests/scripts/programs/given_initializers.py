# also: nnx
"""Functions that are given initializers, and lambdas that call them: the same ones everywhere, several, and defaults."""

import numpy as np
import torch
import torch.nn as nn
from torch.nn.init import constant_, zeros_


def init(module, weight_init, bias_init, gain=1):
    weight_init(module.weight.data, gain=gain)
    bias_init(module.bias.data)
    return module


def filled(layer, fill=nn.init.ones_, start=zeros_):
    fill(layer.weight)
    start(layer.bias)
    return layer


def fill_all(module, fill):
    for parameter in module.parameters():
        fill(parameter)


def apply_twice(f, x):
    f(x)
    return f(f(x))


class Policy(nn.Module):
    def __init__(self, inputs, hidden=8):
        super().__init__()
        init_ = lambda m: init(m, nn.init.orthogonal_, lambda x: nn.init.constant_(x, 0.5), np.sqrt(2))
        self.actor = nn.Sequential(init_(nn.Linear(inputs, hidden)), nn.Tanh(), init_(nn.Linear(hidden, hidden)), nn.Tanh())
        init_ = lambda m: init(m, nn.init.orthogonal_, lambda x: nn.init.constant_(x, 0))
        self.critic = init_(nn.Linear(hidden, 1))
        self.train()

    def forward(self, x):
        return self.critic(self.actor(x))


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = filled(nn.Linear(2, 3))
        self.second = filled(nn.Linear(3, 2), start=lambda b: constant_(b, -0.25))
        self.third = filled(nn.Linear(2, 1), nn.init.eye_, start=lambda init: nn.init.constant_(init, val=1.0))

    def forward(self, x):
        return self.third(self.second(self.first(x)))


torch.manual_seed(0)
policy = Policy(3)
first, last = policy.actor[0], policy.critic
print((first.weight.t() @ first.weight - 2 * torch.eye(3)).abs().max().item() < 1e-4)
print(round((last.weight**2).sum().item(), 4), first.bias.sum().item(), last.bias.item())

head = Head()
print(head(torch.tensor([[0.5, -1.0], [2.0, 1.0]])).flatten().tolist())
optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    loss = head(torch.tensor([[0.5, -1.0], [2.0, 1.0]])).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
fill_all(net, lambda p: nn.init.constant_(p, 0.1))
print(net(torch.ones(1, 2)).item())
fill_all(net, nn.init.ones_)
print(net(torch.ones(1, 2)).item())
print(apply_twice(torch.exp, torch.tensor(0.5)).item())
