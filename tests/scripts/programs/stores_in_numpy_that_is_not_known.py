"""Stores in what nothing says to be a tensor, in a file with NumPy, stay as they are."""

import numpy as np
import torch


class Buffer:
    def __init__(self, data=None):
        self.data = data
        if data is None:
            self.data = np.zeros((2, 3))

    def put(self, i, item):
        self.data[:, i] = item


def shifted(x):
    x[0] = 1
    x = torch.from_numpy(x).float()
    return x + 1


buffer = Buffer()
buffer.put(1, 2.0)
print(buffer.data.tolist(), shifted(np.zeros(3)).tolist())
