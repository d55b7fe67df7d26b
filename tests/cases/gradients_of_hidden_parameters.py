import torch
import torch.nn as nn
import torch.nn.functional as F


class Twice(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) * 2


net = nn.Linear(4, 3)
twice = Twice(net)
reg = net.weight.pow(2).sum()


def by_another_name(x, y):
    model = net
    loss = F.mse_loss(net(x), y) + model(x).mean()
    return torch.autograd.grad(loss, net.parameters())  # T2J200


def as_a_part(x, y):
    loss = F.mse_loss(twice(x), y) + net(x).mean()
    return torch.autograd.grad(loss, twice.parameters())  # T2J200


def penalty():
    return net.weight.pow(2).sum()


def read_by_a_function(x, y):
    loss = F.mse_loss(net(x), y) + penalty()
    return torch.autograd.grad(loss, net.parameters())  # T2J200


def computed_before(net, x, y):
    loss = F.mse_loss(net(x), y) + reg
    return torch.autograd.grad(loss, net.parameters())  # T2J200


def changed_between(net, x, y):
    out = net(x)
    net.eval()
    loss = F.mse_loss(out, y) + net(x).mean()
    return torch.autograd.grad(loss, net.parameters())  # T2J200


def maybe_unused(net, x, y):
    loss = F.mse_loss(net(x), y)
    return torch.autograd.grad(loss, net.parameters(), allow_unused=True)  # T2J200


def given_a_part(net, head, x, y):
    loss = F.mse_loss(net[1](torch.tanh(net[0](x))), y) + head(x).mean()
    return torch.autograd.grad(loss, net.parameters())  # T2J200


stack = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 3))
x, y = torch.ones(2, 4), torch.zeros(2, 3)
computed_before(net, x, y)
given_a_part(stack, stack[1], x, y)
