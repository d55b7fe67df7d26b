"""Tensors that share the memory of arrays in fields, and of arguments, and are changed in place."""

import numpy as np
import torch


class Data:
    def __init__(self):
        self.data = np.zeros((3, 2), dtype=np.float32)

    def get(self, i):
        t = torch.from_numpy(self.data[i])
        t += 1  # T2J303
        return t

    def read(self, i):
        row = self.data[i]
        t = torch.from_numpy(row)
        t[0] = 5.0  # T2J303
        return t


def shift(a):
    t = torch.from_numpy(a)
    t.add_(2)  # T2J303
    return t


d = Data()
a = np.ones(3, dtype=np.float32)
print(d.get(0), d.read(1), d.data, shift(a), a)
b = np.zeros(4, dtype=np.float32)
c = b
s = torch.from_numpy(b)
s.add_(3)  # T2J303
print(b, c)
e = np.zeros(4, dtype=np.float32)
u = torch.from_numpy(e)
v = u[1:]
np.add(e, 1, out=e)  # T2J303
print(u, v)
