import torch
import torch.nn.functional as F


def local():
    F = 3
    return F + 1


def parameter(torch, F=None):
    return torch.frobnicate(F)


def loop(items):
    for torch in items:
        print(torch)
    return [F for F in items]


def after(x: "torch.Tensor"):
    return F.relu(x)
