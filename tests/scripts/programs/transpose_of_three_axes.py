# also: nnx, linen
"""Swapped axes that are two of more than two show a tensor, where NumPy is in sight, too: its arrays want all axes."""

import numpy as np
import torch


class Result:
    def __init__(self, values):
        self.values = values


def lay_out(predictions, result, lengths):
    for i in range(len(predictions[0])):
        print(predictions[0][i, : lengths[i]].sum())
    turned = predictions[1].transpose(1, 2)
    print(turned.shape, turned[0, 0])
    print(result.values.transpose(-1, -3)[0].sum(1))
    print(predictions[2].transpose())
    return turned


x = torch.arange(24.0).view(2, 3, 4)
lay_out([np.ones((2, 3)), x, np.ones((3, 2))], Result(x), [1, 2])
