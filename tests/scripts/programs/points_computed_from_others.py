# flagged: T2J200
"""A field that was computed from another one, by which a derivative is taken: it depends on it, too."""

import torch
import torch.nn as nn


class Problem:
    def __init__(self, x):
        self.x = torch.tensor(x, requires_grad=True)
        self.t = self.x * 2
        self.net = nn.Linear(2, 1)

    def slope(self, x, t):
        u = self.net(torch.cat([x, t], dim=1))
        return torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True)[0]

    def run(self):
        return self.slope(self.x, self.t).sum().item()


print(Problem([[1.0], [2.0]]).run())
