"""What an object or a module keeps of a tensor that it is made with sees changes of that tensor in place."""

import torch
import torch.nn as nn

KEPT = []


class Buffer(nn.Module):
    def __init__(self, mask):
        super().__init__()
        self.register_buffer("mask", mask)


class Derived(Buffer):
    def __init__(self, mask):
        super().__init__(mask[1:])


class Trained(nn.Module):
    def __init__(self, mask):
        super().__init__()
        self.keep(mask)

    def keep(self, mask):
        self.weight = nn.Parameter(mask)


class Listed(nn.Module):
    def __init__(self, masks):
        super().__init__()
        self.masks = []
        for i, m in enumerate(masks):
            self.masks.append(m)


class Outside(nn.Module):
    def __init__(self, mask):
        super().__init__()
        KEPT.append(mask)


class ByLambda:
    def __init__(self, mask):
        self.f = lambda x: x * mask


class ByFunction:
    def __init__(self, mask):
        def f(x):
            return x * mask

        self.f = f


class Declared:
    def __init__(self, mask):
        self.mask: torch.Tensor = mask


class Starred:
    def __init__(self, *masks):
        self.mask = masks[0]


class Named:
    def __init__(self, mask):
        if (m := mask) is not None:
            self.mask = m


def changed(n):
    mask = torch.ones(n)
    buffer = Buffer(mask)
    mask *= -1  # T2J303
    return buffer, mask


def changed_behind_derived(n):
    mask = torch.ones(n)
    made = Derived(mask)
    mask *= -1  # T2J303
    return made, mask


def changed_behind_trained(n):
    mask = torch.ones(n)
    made = Trained(mask)
    mask *= -1  # T2J303
    return made, mask


def changed_behind_listed(n):
    mask = torch.ones(n)
    made = Listed([mask])
    mask *= -1  # T2J303
    return made, mask


def changed_behind_outside(n):
    mask = torch.ones(n)
    made = Outside(mask)
    mask *= -1  # T2J303
    return made, mask


def changed_behind_lambda(n):
    mask = torch.ones(n)
    made = ByLambda(mask)
    mask *= -1  # T2J303
    return made, mask


def changed_behind_function(n):
    mask = torch.ones(n)
    made = ByFunction(mask)
    mask *= -1  # T2J303
    return made, mask


def changed_behind_declared(n):
    mask = torch.ones(n)
    made = Declared(mask)
    mask *= -1  # T2J303
    return made, mask


def changed_behind_starred(n):
    mask = torch.ones(n)
    made = Starred(mask)
    mask *= -1  # T2J303
    return made, mask


def changed_behind_named(n):
    mask = torch.ones(n)
    made = Named(mask)
    mask *= -1  # T2J303
    return made, mask
