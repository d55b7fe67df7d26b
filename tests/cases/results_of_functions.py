"""What functions of the program give may be one of their arguments, whatever way it has gone in them."""

from collections import namedtuple
from functools import partial

import torch
from torch import Tensor, nn

Pair = namedtuple("Pair", ["first", "second"])


def identity(t, *args):
    return t


def perhaps(t, flag: bool):
    out = t * 2
    if flag:
        out = t
    return out


def collected(t):
    found = []
    other = found
    other.append(t)
    return found


def deep(t, n: int):
    if n == 0:
        return t
    return deep(t, n - 1)


def applied(f, t):
    return f(t)


def acting(t, act=identity):
    return act(t)


def or_else(value, make):
    return value if value is not None else make()


def paired(t, clip: bool):
    limited = partial(torch.clamp, min=-1.0) if clip else identity
    return Pair(limited(t), t - 1)


def both(t):
    first = t * 2
    return Pair(first, first)


def through(layers, t):
    for layer in layers:
        t = layer(t)
    return t


def is_given(x: Tensor):
    y = identity(x * 2)
    z = identity(y)
    z.add_(1)  # T2J301
    return y, z


def may_be_given(x: Tensor):
    x = x * 2
    y = perhaps(x, True)
    y.add_(1)  # T2J301
    return x, y


def in_a_list(x: Tensor):
    x = x * 2
    y = collected(x)[0]
    y.add_(1)  # T2J301
    return x, y


def by_itself(x: Tensor):
    x = x * 2
    y = deep(x, 2)
    y.add_(1)  # T2J301
    return x, y


def by_a_function(x: Tensor):
    x = x * 2
    y = applied(identity, x)
    y.add_(1)  # T2J301
    return x, y


def by_a_default(x: Tensor):
    x = x * 2
    y = acting(x)
    y.add_(1)  # T2J301
    return x, y


def by_a_lambda(x: Tensor):
    x = x * 2
    y = or_else(None, lambda: x)
    y.add_(1)  # T2J301
    return x, y


def in_a_pair(x: Tensor):
    x = x * 2
    y = paired(x, False).first
    y.clamp_(-0.5, 0.5)  # T2J301
    return x, y


def one_of_the_same(x: Tensor):
    pair = both(x)
    y = pair.first
    y.clamp_(-0.5, 0.5)  # T2J301
    return pair.second, y


def layers_that_give_it_back(x: Tensor):
    x = x * 2
    y = through([nn.Identity(), nn.Identity()], x)
    y.add_(1)  # T2J301
    return x, y


def in_earlier_rounds(x: Tensor):
    ys = []
    y = x
    for _ in range(3):
        y = paired(y, False).second
        ys.append(y)
        y.add_(1)  # T2J301
    return ys


def behind_stars(x: Tensor):
    x = x * 2
    args = [x]
    y = identity(*args)
    y.add_(1)  # T2J301
    return x, y


def its_own(x: Tensor):
    y = both(x).first
    y.clamp_(-0.5, 0.5)
    return x, y
