import functools

import torch
import torch.nn.functional as F


def noisy(std):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapped(*args, **kwargs):
            out = fn(*args, **kwargs)
            return out + std * torch.randn_like(out)

        return wrapped

    return decorate


@noisy(0.1)  # T2J400
def square(x):
    return x * x


class Bank:
    def sample(self, n):
        return torch.rand(n)

    def zeros(self, n):
        return torch.zeros(n)

    def give(self, name, n):
        return getattr(self, name)(n)  # T2J609


acts = {"relu": F.relu, "noise": lambda x: x + torch.rand_like(x)}  # T2J400
