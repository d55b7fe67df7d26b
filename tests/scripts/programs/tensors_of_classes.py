# also: nnx, linen
"""Tensors in lists of a class are changed for all of its objects."""

import torch


class Settings:
    steps = [torch.arange(3.0), torch.zeros(3)]


class Sub(Settings):
    pass


def change_all():
    for t in Settings.steps:
        t += 1


def change_one():
    Settings.steps[1] = torch.full((3,), 7.0)


change_all()
change_one()
change_all()
print(Sub.steps[0], Sub.steps[1], Settings().steps[0])
