"""Functions that take tensors and arrays, told apart by a test, and texts that have methods named like those of tensors."""

import numpy as np
import torch
import torch.nn.functional as F


def padded(array, length, axis=-1):
    if torch.is_tensor(array):
        if array.shape[axis] > length:
            array = array.index_select(dim=axis, index=torch.arange(length))
        if array.shape[axis] < length:
            array = F.pad(array, (0, length - array.shape[axis]))
    else:
        if array.shape[axis] > length:
            array = array.take(indices=range(length), axis=axis)
        if array.shape[axis] < length:
            array = np.pad(array, [(0, length - array.shape[axis])])
    return array


def spread(values):
    if isinstance(values, torch.Tensor):
        values = values.unsqueeze(0)
        return values.std(dim=1, unbiased=False)
    else:
        return values.std(ddof=0)


def table(lines):
    return dict(line.split(maxsplit=1) for line in lines)


print(padded(torch.arange(5.0), 3), padded(torch.arange(5.0), 7))
print(padded(np.arange(5.0), 3), padded(np.arange(5.0), 7))
print(spread(torch.arange(4.0)), spread(np.arange(4.0)))
print(table(["n01 small dog", "n02 cat"]))
