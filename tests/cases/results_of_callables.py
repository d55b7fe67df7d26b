"""What a network or another callable gives that was passed is its own; what the program knows of, it follows."""

import torch
import torch.nn as nn
from elsewhere import helper


def halved(f, x):
    y = f(x)
    y.div_(2)
    return y + x


def clamped(f, x):
    x = f(x).clamp_(0, 1)
    return x


def of_several(f, x):
    loss, _, _ = f(x, 0.75)
    value = loss.item()
    loss /= 4
    return value, loss


class Wrapper(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        y = self.body(x)
        y.mul_(2)
        return y + x


def under_two_names(f, x):
    y = f(x)
    same = y
    y.mul_(2)  # T2J301
    return y, same


def with_a_view(f, x):
    y = f(x)
    row = y[0]
    y.mul_(2)  # T2J301
    return y, row


def one_of_two(f, x):
    a, b = f(x)
    a.mul_(2)  # T2J301
    return a, b


def kept_in_a_list(f, xs):
    outs = []
    for x in xs:
        y = f(x)
        outs.append(y)
        y.mul_(2)  # T2J301
    return outs


def of_another_file(x: torch.Tensor):
    y = helper(x)
    y.mul_(2)  # T2J301
    return y + x


def rebound(f, x):
    f = helper(f)
    y = f(x)
    y.mul_(2)  # T2J301
    return y + x


def known(f, x):
    y = f(x)
    y.mul_(2)  # T2J301
    return y + x


print(known(lambda t: t, torch.ones(3)))
