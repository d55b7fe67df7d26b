# flagged: T2J207
"""Stores in what is given, or else made as a tensor, in a file with NumPy: arrays of NumPy take them, arrays of JAX do not."""

import numpy as np
import torch


class Queue:
    def __init__(self, length, data=None):
        self.data = data
        if data is None:
            self.data = torch.zeros(2, length)
        self.position = 0

    def enqueue(self, item):
        self.data[:, self.position] = item
        self.position += 1


def marked(x=None):
    if x is None:
        x = torch.zeros(3)
    x[0] = 1
    return x


queue = Queue(3)
queue.enqueue(torch.ones(2))
print(queue.data.tolist(), marked().tolist(), np.zeros(2).tolist())
