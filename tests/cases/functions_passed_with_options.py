from functools import partial

import torch
import torch.nn.functional as F


def some(x, function=F.softmax, **options):
    return function(x, **options)  # T2J205


def drawn(x, function=F.dropout):  # T2J205
    return function(x, p=0.5)


def sized(shape, make=torch.ones):
    return make(shape)


def scaled(x, function=torch.std):  # T2J205
    return function(x, dim=0) + function(x, unbiased=False)


print(some(torch.ones(2, 3), dim=1), some(torch.ones(2, 3), F.log_softmax, dim=1))
print(drawn(torch.ones(2)), drawn(torch.ones(2), F.alpha_dropout))  # T2J205
print(sized((2, 3)), sized((2, 3), torch.zeros))
print(scaled(torch.ones(2)), scaled(torch.ones(2), torch.var))  # T2J205


def cast(x):
    context = partial(torch.autocast, "cpu", dtype=torch.bfloat16)  # T2J205
    with context():
        return x @ x
