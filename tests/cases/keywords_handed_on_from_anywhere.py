# keywords handed on to torch, of which calls in sight do not say all
import torch
import torch.nn.functional as F


def never_called(x, **kwargs):
    return F.pad(x, (1, 1), **kwargs)  # T2J202


def inner(x, **kwargs):
    return F.pad(x, (1, 1), **kwargs)  # T2J202


def outer(x, **kwargs):
    return inner(x, **kwargs)


def popped(x, **kwargs):
    kwargs.pop("mode", None)
    return F.pad(x, (1, 1), **kwargs)  # T2J202


def callback(x, **kwargs):
    return F.pad(x, (1, 1), **kwargs)  # T2J202


print(outer(torch.ones(2, 2), value=1.0), popped(torch.ones(2, 2), mode="constant"))
print(callback(torch.ones(2, 2)), list(map(callback, [torch.ones(2, 2)])))
