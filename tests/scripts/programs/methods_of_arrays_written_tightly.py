# also: nnx, linen
"""Methods that arrays of NumPy have, too, are left as they are, however they are spaced."""

import numpy as np
import torch


def turned(img, first):
    if first:
        img = img.swapaxes(0,1).swapaxes( 1,2 )
    return img


def rows(img):
    return img.swapaxes(0,1).tolist()


def call(function, *args):
    return function(*args)


for made in (np.arange(24), torch.arange(24)):
    print(tuple(call(turned, made.reshape(2, 3, 4), True).shape), call(rows, made.reshape(6, 4)))
