"""Options of torch in a dict that is filled in branches: what is missing is what torch takes by itself."""

import torch
import torch.nn.functional as F
from torch import nn


def resized(x, offset, w, h):
    kwargs = {}
    if offset:
        kwargs["scale_factor"] = (float(w + offset) / x.shape[2], float(h + offset) / x.shape[3])
    else:
        kwargs["size"] = (w, h)
    return F.interpolate(x, mode="bicubic", antialias=False, **kwargs)


def summed(x, axis=None, keep=False):
    options = dict(dim=1)
    if axis is not None:
        options["dim"] = axis
    if keep:
        options["keepdim"] = True
    return torch.sum(x, **options), x.mean(**options)


def layer(n, bias):
    options = {"in_features": n}
    options["out_features"] = n + 1
    if not bias:
        options["bias"] = False
    net = nn.Linear(**options)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
    return net


x = torch.linspace(-1, 1, 32).view(1, 2, 4, 4)
print(resized(x, 0.1, 6, 7).sum((0, 1)).tolist())
print(resized(x, 0, 6, 7).shape[2:][0], resized(x, 0, 3, 5).sum((0, 1)).tolist())
for axis, keep in ((None, False), (2, True), (0, False)):
    a, b = summed(x, axis, keep)
    print(a.sum().item(), b.tolist())
for bias in (True, False):
    print(layer(4, bias)(x).sum((0, 1)).tolist())
