# also: nnx linen
"""Losses of several backward passes, computed where `backward` stands, by code that reads what changes between its calls."""

import numpy as np
import torch

class Scaler:
    def fit(self, data):
        self.mean = data.mean(0)

def normal(data):
    return data - data.mean()

def which(x, flag):
    return x.numpy() if flag else x

a = np.ones((3, 3), np.float32)
s = Scaler()
s.fit(a)
for data in (a, which(torch.ones(3, 3), True)):
    print(np.asarray(normal(data)).ravel().tolist())
x = which(torch.ones(3, 3), False).requires_grad_()
normal(x).square().sum().backward()
(x.std(0).sum() + normal(x)[0].sum()).backward()
print(x.grad.tolist())
