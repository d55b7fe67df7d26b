# also: nnx, linen
"""Norms as functions in layers that may keep no statistics, in subclasses of torch's layers, in loops and behind other names."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class BatchNorm(nn.Module):
    def __init__(self, features, momentum=0.1, affine=True, track=True):
        super().__init__()
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(features)) if affine else None
        self.bias = nn.Parameter(torch.zeros(features)) if affine else None
        self.track_running_stats = track
        if track:
            self.register_buffer("running_mean", torch.zeros(features))
            self.register_buffer("running_var", torch.ones(features))
        else:
            self.register_buffer("running_mean", None)
            self.register_buffer("running_var", None)

    def forward(self, input):
        return F.batch_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum,
            1e-4,
        )


class Scaled(nn.BatchNorm2d):
    def forward(self, input):
        out = F.batch_norm(
            input, self.running_mean, self.running_var, None, None, self.training, self.momentum, self.eps
        )
        return out * self.weight[None, :, None, None] * 2 + self.bias[None, :, None, None]


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("running_mean", torch.zeros(2))
        self.register_buffer("running_var", torch.ones(2))

    def norm(self, x, training):
        return F.batch_norm(x, self.running_mean, self.running_var, training=training, momentum=0.5)

    def forward(self, xs):
        total = 0
        for x in xs:
            total = total + self.norm(x, self.training).square().sum() * 0.5
        return total


x = torch.arange(32.0).view(4, 2, 2, 2).sin()
for track in (True, False):
    bn = BatchNorm(2, track=track)
    print(bn(x).flatten()[:4].tolist(), bn(x + 1).sum().item())
    print(bn.eval()(x).flatten()[:4].tolist(), bn.running_mean is None)
s = Scaled(2)
print(s(x).sum().item(), s.running_mean.tolist(), s.running_var.tolist())
s.eval()
print(s(x).flatten()[:4].tolist())
h = Shared()
print(h([x, x * 2 + 1]).item(), h.running_mean.tolist())
h.eval()
print(h([x, x + 1]).item(), h.running_mean.tolist())

mean, var = torch.zeros(2), torch.ones(2)
for k in range(3):
    y = F.batch_norm(x + k, mean, var, training=True, momentum=1)
    with torch.no_grad():
        z = F.instance_norm(y, mean, var)
    print(y.sum().item(), z.flatten()[:3].tolist(), mean.tolist(), var.tolist())
stats = {"mean": torch.zeros(2), "var": torch.ones(2)}
y = F.batch_norm(x, stats["mean"].clone(), stats["var"].clone(), None, None, True, 0.3)
print(y.flatten()[:3].tolist(), stats["mean"].tolist())
