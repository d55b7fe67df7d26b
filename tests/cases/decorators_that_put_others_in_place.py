"""Decorators with arguments that put a function of their own in the place of one that draws, and take no key."""

import torch


def scaled(factor):
    def decorator(function):
        def inner(n):
            return function(n) * factor

        return inner

    return decorator


@scaled(2.0)
def noise(n):  # T2J400
    return torch.randn(n)


print(noise(3).shape)
