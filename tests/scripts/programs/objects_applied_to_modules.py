# also: nnx
"""Weights are clipped by an object that a model applies to each of its parts."""

import torch
import torch.nn as nn


class WeightClipper:
    def __init__(self, c):
        self.c = c

    def __call__(self, module):
        if hasattr(module, "weight"):
            w = module.weight.data
            w = w.clamp(-self.c, self.c)
            module.weight.data = w


D = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
with torch.no_grad():
    for k, p in enumerate(D.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + k).view_as(p))
clipper = WeightClipper(0.4)
D.apply(clipper)
print(D[0].weight.sum().item())
D.apply(WeightClipper(0.2))
print(D(torch.ones(1, 3)).sum().item(), D[0].weight.sum().item())
