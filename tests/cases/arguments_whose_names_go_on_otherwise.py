"""Arguments whose names go on as those of views of them, where these cannot get names of their own."""

import torch


def looped(x):
    for _ in range(2):
        x = x[1:]
        x[0] = 9  # T2J300
    return x


def lazy(x):
    if x.size(0) == 1:
        x = x.repeat(2, 1)
    f = lambda: x.sum()
    x[0] += 1  # T2J300
    return f()


a = torch.zeros(4)
print(looped(a), a)
c = torch.zeros(2, 2)
print(lazy(c), c)
