# also: linen
"""Bounds that a clamp takes by a star, and other arguments that do."""

import torch
class A:
    def __init__(self):
        self.bounds = [-0.5, 0.5]
    def act(self, x):
        return x.clamp(*self.bounds)
def f(x, bounds):
    return torch.clamp(x, *bounds)
x = torch.linspace(-1, 1, 5)
print(A().act(x).tolist(), f(x, (-0.2, 0.3)).tolist(), x.clamp(*(0, 1)).tolist())
lo_hi = torch.tensor([-0.1, 0.2])
span = lo_hi.tolist()
print(x.clamp(*span).tolist(), torch.clamp(x, *span).tolist(), torch.add(*(x, x)).tolist(), torch.zeros(*x.shape, 2).shape)
dims = (0, 1)
y = torch.arange(6.0).view(2, 3)
print(y.transpose(*dims).tolist(), torch.linspace(*[0, 1], 3).tolist(), torch.where(*[y > 2, y, -y]).tolist())
class Actor:
    def __init__(self, action_range):
        self.action_range = action_range
    def act(self, x):
        action = x * 3
        action = action.clamp(*self.action_range)
        return action
import numpy as np
print(Actor([float(np.array([-1.0]).min()), float(np.array([1.0]).max())]).act(x).tolist())
