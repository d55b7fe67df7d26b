# also: nnx, linen
"""Arrays of NumPy that are told apart from tensors by the module of their class."""

import numpy as np
import torch


def resize(img, scale):
    if type(img).__module__ == np.__name__:
        numpy_type = True
        img = torch.from_numpy(img.transpose(2, 0, 1)).float()
    else:
        numpy_type = False
    c, h, w = img.size()
    out = torch.zeros(c, int(h * scale), w)
    out[:, : int(h * scale)] = img[:, : int(h * scale)] * scale
    if numpy_type:
        out = out.numpy().transpose(1, 2, 0)
    return out


x = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
print(resize(x, 0.5).tolist())
print(resize(torch.from_numpy(x.transpose(2, 0, 1)), 0.5).tolist())


def kind(x):
    if type(x).__module__ != "numpy":
        return x.size(0)
    else:
        return x.shape


def plain(x):
    return not x.__class__.__module__ == np.__name__ and "other" or "array"


print(kind(x), kind(torch.ones(5, 2)), plain(x), plain(3), plain(np.float32(2)), plain(torch.ones(2)), plain(x[0, 0, 0]))
