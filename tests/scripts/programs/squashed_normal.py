# also: nnx
"""A transform and a transformed distribution that a program writes itself, in training."""

import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import distributions as pyd


class TanhTransform(pyd.transforms.Transform):
    domain = pyd.constraints.real
    codomain = pyd.constraints.interval(-1.0, 1.0)
    bijective = True
    sign = +1

    def __init__(self, cache_size=1):
        super().__init__(cache_size=cache_size)

    @staticmethod
    def atanh(x):
        return 0.5 * (x.log1p() - (-x).log1p())

    def __eq__(self, other):
        return isinstance(other, TanhTransform)

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return self.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class SquashedNormal(pyd.transformed_distribution.TransformedDistribution):
    def __init__(self, loc, scale):
        self.loc = loc
        self.scale = scale
        self.base_dist = pyd.Normal(loc, scale)
        transforms = [TanhTransform()]
        super().__init__(self.base_dist, transforms)

    @property
    def mean(self):
        mu = self.loc
        for tr in self.transforms:
            mu = tr(mu)
        return mu


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(3, 4)
        for i, p in enumerate(self.parameters()):
            with torch.no_grad():
                p.copy_((torch.arange(p.numel()).reshape(p.shape) % 5 - 2) * 0.1)

    def forward(self, obs):
        mu, log_std = self.trunk(obs).chunk(2, dim=-1)
        log_std = torch.tanh(log_std)
        return SquashedNormal(mu, log_std.exp())


actor = Actor()
opt = torch.optim.SGD(actor.parameters(), lr=0.1)
obs = torch.arange(6.0).reshape(2, 3) / 6
for step in range(3):
    dist = actor(obs)
    loss = -dist.log_prob(torch.full((2, 2), 0.3)).sum(-1).mean() + dist.mean.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 5))
with torch.no_grad():
    dist = actor(obs)
    action = dist.sample()
    print(tuple(action.shape), bool((action.abs() <= 1).all()), bool(torch.isfinite(dist.log_prob(action)).all()))
big = SquashedNormal(torch.full((2,), 12.0), torch.ones(2))
a = big.rsample()
print(bool(torch.isfinite(big.log_prob(a)).all()))
plain = pyd.TransformedDistribution(pyd.Normal(torch.zeros(2), torch.ones(2)), [TanhTransform()])
print(plain.log_prob(torch.tensor([0.1, -0.5])).sum().item(), tuple(plain.sample((3,)).shape))
